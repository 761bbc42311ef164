// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/nn/parameter.h"

#include <algorithm>

namespace roadtune::engine {

Parameter& ParameterSet::add(Parameter parameter) {
  if (parameter.value.defined()) parameter.value.requires_grad_(parameter.trainable);
  auto& stored = m_all.emplace_back(std::make_unique<Parameter>(std::move(parameter)));
  m_byName[stored->name] = stored.get();
  return *stored;
}

Parameter* ParameterSet::find(std::string_view name) const {
  const auto found = m_byName.find(std::string(name));
  return found == m_byName.end() ? nullptr : found->second;
}

std::vector<Parameter*> ParameterSet::trainable() const {
  std::vector<Parameter*> result;
  for (const auto& parameter : m_all)
    if (parameter->trainable) result.push_back(parameter.get());
  return result;
}

void ParameterSet::remove(std::string_view name) {
  m_byName.erase(std::string(name));
  std::erase_if(m_all, [&](const auto& parameter) { return parameter->name == name; });
}

}  // namespace roadtune::engine
