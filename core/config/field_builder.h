// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/config/schema.h"

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace roadtune::config {

// Lets the tables of the schema read like a table: Make(...).range(0, 1).also("lora_r").
class Make {
 public:
  Make(const char* name, FieldType type, Value defaultValue, const char* help) {
    m_field.name = name;
    m_field.type = type;
    m_field.defaultValue = std::move(defaultValue);
    m_field.help = help;
  }

  Make& unset(const char* meaning) { return m_field.unset = meaning, *this; }
  Make& unit(const char* name) { return m_field.unit = name, *this; }
  Make& atLeast(double minimum) { return m_field.minimum = minimum, *this; }
  Make& above(double minimum) { return m_field.minimum = minimum, m_field.minimumExcluded = true, *this; }
  Make& below(double maximum) { return m_field.maximum = maximum, m_field.maximumExcluded = true, *this; }
  Make& atMost(double maximum) { return m_field.maximum = maximum, *this; }
  Make& range(double minimum, double maximum) { return atLeast(minimum).atMost(maximum); }
  Make& oneOf(std::vector<std::string> choices) { return m_field.choices = std::move(choices), *this; }
  Make& words(std::vector<std::pair<std::string, std::string>> synonyms) {
    return m_field.synonyms = std::move(synonyms), *this;
  }
  Make& also(std::initializer_list<const char*> names, AliasRule rule = AliasRule::Same) {
    for (const char* name : names) m_field.aliases.push_back({name, rule});
    return *this;
  }
  Make& when(const char* field, std::vector<std::string> values) {
    m_field.visibleWhen.push_back({field, std::move(values)});
    return *this;
  }
  Make& ofNewAdapters() { return when("finetuning_type", {"lora", "qlora"}).when("adapter_name_or_path", {"null"}); }
  Make& basic() { return m_field.basic = true, *this; }
  Make& required() { return m_field.required = true, *this; }

  Field done(Section section) const {
    Field field = m_field;
    field.section = section;
    return field;
  }

 private:
  Field m_field;
};

using FieldTable = std::vector<Make>;

// The tables, in the order in which the schema shows them.
FieldTable modelFields();
FieldTable dataSourceFields();
FieldTable dataTaskFields();
FieldTable dataImageFields();
FieldTable methodFields();
FieldTable loraFields();
FieldTable quantizationFields();
FieldTable batchFields();
FieldTable optimizerFields();
FieldTable scheduleFields();
FieldTable guardFields();
FieldTable evaluationFields();
FieldTable outputFields();
FieldTable launchFields();
FieldTable networkFields();

}  // namespace roadtune::config
