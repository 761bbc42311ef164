// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/config/problem.h"
#include "core/config/resolve.h"
#include "core/config/run_config.h"

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace roadtune::config {

// A configuration on its way: single values are read, and what they mean together is being settled.
class Draft {
 public:
  Draft(std::string where, std::vector<Problem>& problems) : m_where(std::move(where)), m_problems(problems) {}

  void set(const std::string& name, RunConfig::Setting setting) {
    m_broken.erase(name);
    m_view.m_settings[name] = std::move(setting);
  }
  void reset(const std::string& name) {
    m_broken.erase(name);
    m_view.m_settings.erase(name);
  }
  // A value that follows from others; it does not count as given.
  void imply(const std::string& name, Value value) { set(name, {std::move(value), false, {}}); }
  void markBroken(const std::string& name) { m_broken.insert(name); }

  const RunConfig& view() const { return m_view; }
  bool isBroken(const std::string& name) const { return m_broken.contains(name); }
  bool given(const std::string& name) const { return m_view.isSet(name); }

  // At the place where `key` was given, else at the top of the file.
  void report(const std::string& key, std::string message, std::string hint, Severity severity = Severity::Error);

 private:
  std::string m_where;
  std::vector<Problem>& m_problems;
  std::set<std::string> m_broken;
  RunConfig m_view;
};

// Settles what keys mean together, in this order; each reports what contradicts.
void settleMethod(Draft& draft);
void settleSchedule(Draft& draft);
void settleClasses(Draft& draft);
void settleEvaluation(Draft& draft);
void settleLaunch(Draft& draft);
void refuseUnoffered(Draft& draft);
void requireKeys(Draft& draft, Purpose purpose);
void warnOfIdleKeys(Draft& draft);

}  // namespace roadtune::config
