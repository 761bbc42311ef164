// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"

#include <nlohmann/json.hpp>

#include <initializer_list>
#include <optional>
#include <string>

namespace roadtune::model {

// Reads the fields of one JSON object of a checkpoint. A missing or null field leaves the default; a field of the wrong
// kind, or outside its range, is remembered as the first problem.
class JsonFields {
 public:
  JsonFields(const nlohmann::json& object, std::string where);

  // Several names are spellings of the same field; the first that is there counts.
  void read(std::initializer_list<const char*> names, int& value, int low, int high);
  void read(std::initializer_list<const char*> names, std::int64_t& value, std::int64_t low, std::int64_t high);
  void read(std::initializer_list<const char*> names, double& value, double low, double high);
  void read(std::initializer_list<const char*> names, bool& value);
  void read(std::initializer_list<const char*> names, std::string& value);
  const nlohmann::json* find(std::initializer_list<const char*> names) const;  // null when missing or null
  bool hasNull(const char* name) const;                                        // written as null

  void complain(const std::string& field, const std::string& what);
  // "r must be a whole number, not "8"".
  void mismatch(const std::string& field, const std::string& expected, const nlohmann::json& found);
  Status status() const;

 private:
  const nlohmann::json& m_object;
  std::string m_where;
  std::optional<Error> m_problem;
};

}  // namespace roadtune::model
