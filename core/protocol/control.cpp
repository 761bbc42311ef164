// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/control.h"

#include "core/base/text.h"
#include "core/protocol/event.h"

#include <nlohmann/json.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <utility>
#include <vector>

namespace roadtune::protocol {

namespace {

constexpr std::array<std::pair<std::string_view, ControlWord>, 7> kWords = {{{"save", ControlWord::Save},
                                                                             {"stop", ControlWord::Stop},
                                                                             {"stop-now", ControlWord::StopNow},
                                                                             {"pause", ControlWord::Pause},
                                                                             {"resume", ControlWord::Resume},
                                                                             {"set", ControlWord::Set},
                                                                             {"evaluate", ControlWord::Evaluate}}};

const std::vector<std::string> kEditable = {"learning_rate", "max_grad_norm", "logging_steps", "save_steps",
                                            "eval_steps"};

Result<ControlWord> wordNamed(std::string_view text) {
  std::vector<std::string> known;
  for (const auto& [word, value] : kWords) {
    if (word == text) return value;
    known.emplace_back(word);
  }
  const std::string nearest = nearestWord(text, known);
  return badInput("'" + std::string(text) + "' is no control word", {}, nearest.empty() ? join(known, ", ") : nearest);
}

Status setReal(std::optional<double>& target, const std::string& key, double value) {
  if (!std::isfinite(value) || value < 0) return badInput("must be a number of at least 0", key);
  target = value;
  return {};
}

Status setCount(std::optional<std::int64_t>& target, const std::string& key, double value) {
  if (!(value >= 0 && value <= 1e15) || value != std::floor(value))
    return badInput("must be a whole number of at least 0", key);
  target = static_cast<std::int64_t>(value);
  return {};
}

Status setEdit(LiveEdit& edit, const std::string& key, double value) {
  if (key == "learning_rate") return setReal(edit.learningRate, key, value);
  if (key == "max_grad_norm") return setReal(edit.maxGradNorm, key, value);
  if (key == "logging_steps") return setCount(edit.loggingSteps, key, value);
  if (key == "save_steps") return setCount(edit.saveSteps, key, value);
  if (key == "eval_steps") return setCount(edit.evalSteps, key, value);
  const std::string nearest = nearestWord(key, kEditable);
  return badInput("'" + key + "' cannot be changed while a run goes on", {},
                  nearest.empty() ? join(kEditable, ", ") : nearest);
}

Result<LiveEdit> editFromJson(const nlohmann::json& json) {
  if (!json.is_object() || json.empty())
    return badInput("'set' names no setting", {}, R"(set {"learning_rate": 1e-5})");
  LiveEdit edit;
  for (const auto& [key, value] : json.items()) {
    if (!value.is_number()) return badInput("must be a number", key);
    ROADTUNE_CHECK(setEdit(edit, key, value.get<double>()));
  }
  return edit;
}

// "learning_rate=1e-5 save_steps=50", or a JSON object
Result<LiveEdit> editFromText(std::string_view text) {
  if (startsWith(text, "{")) return editFromJson(nlohmann::json::parse(text, nullptr, false));
  LiveEdit edit;
  for (const std::string& part : split(text, ' ')) {
    if (part.empty()) continue;
    const std::size_t equals = part.find('=');
    if (equals == std::string::npos) return badInput("'" + part + "' is not key=value");
    double value = 0;
    const char* end = part.data() + part.size();
    const auto [stop, problem] = std::from_chars(part.data() + equals + 1, end, value);
    if (problem != std::errc() || stop != end) return badInput("must be a number", part.substr(0, equals));
    ROADTUNE_CHECK(setEdit(edit, part.substr(0, equals), value));
  }
  if (edit.empty()) return badInput("'set' names no setting", {}, "set learning_rate=1e-5");
  return edit;
}

Result<ControlCommand> commandFromJson(std::string_view line) {
  const auto json = nlohmann::json::parse(line, nullptr, false);
  if (!json.is_object()) return badInput("a control line is no JSON object");
  ControlCommand command;
  command.id = textOr(json, "id");
  ROADTUNE_TRY(command.word, wordNamed(textOr(json, "do")));
  if (command.word != ControlWord::Set) return command;
  ROADTUNE_TRY(command.edit, editFromJson(json.value("set", nlohmann::json())));
  return command;
}

}  // namespace

std::string_view name(ControlWord word) {
  for (const auto& [text, value] : kWords)
    if (value == word) return text;
  return "";
}

Result<ControlCommand> parseControlLine(std::string_view line) {
  line = trim(line);
  if (line.empty()) return badInput("an empty control line");
  if (line.front() == '{') return commandFromJson(line);
  const std::size_t blank = line.find(' ');
  ControlCommand command;
  ROADTUNE_TRY(command.word, wordNamed(line.substr(0, blank)));
  const std::string_view rest = blank == std::string_view::npos ? "" : trim(line.substr(blank));
  if (command.word == ControlWord::Set) {
    ROADTUNE_TRY(command.edit, editFromText(rest));
  } else if (!rest.empty()) {
    return badInput("'" + std::string(name(command.word)) + "' takes no words after it");
  }
  return command;
}

std::string encodeControl(const ControlCommand& command) {
  nlohmann::json json = {{"do", name(command.word)}};
  if (!command.id.empty()) json["id"] = toValidUtf8(command.id);
  const LiveEdit& edit = command.edit;
  if (command.word == ControlWord::Set) json["set"] = nlohmann::json::object();
  if (edit.learningRate) json["set"]["learning_rate"] = *edit.learningRate;
  if (edit.maxGradNorm) json["set"]["max_grad_norm"] = *edit.maxGradNorm;
  if (edit.loggingSteps) json["set"]["logging_steps"] = *edit.loggingSteps;
  if (edit.saveSteps) json["set"]["save_steps"] = *edit.saveSteps;
  if (edit.evalSteps) json["set"]["eval_steps"] = *edit.evalSteps;
  return json.dump();
}

Result<ControlReply> parseReplyLine(std::string_view line) {
  const auto json = nlohmann::json::parse(line, nullptr, false);
  if (!json.is_object() || !json.contains("ok") || !json["ok"].is_boolean()) return badInput("not a control reply");
  return ControlReply{textOr(json, "id"), json["ok"].get<bool>(), textOr(json, "message"), integerOr(json, "step", 0)};
}

std::string encodeReply(const ControlReply& reply) {
  return nlohmann::json{
      {"id", toValidUtf8(reply.id)}, {"ok", reply.ok}, {"message", toValidUtf8(reply.message)}, {"step", reply.step}}
      .dump();
}

}  // namespace roadtune::protocol
