// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace roadtune::protocol {

// In the environment of ranks that an agent has started. It reads the control file and hands on what that says; a rank
// whose input ends has lost its agent.
inline constexpr const char* kAgentVariable = "ROADTUNE_AGENT";

// What a run can be asked to do. Everything takes effect at the next step boundary, StopNow at once.
enum class ControlWord {
  Save,     // write a checkpoint and go on
  Stop,     // write a checkpoint and end
  StopNow,  // end without saving
  Pause,
  Resume,
  Set,       // change the settings in `edit`
  Evaluate,  // once, beside the schedule
};

// Settings that may change while a run goes on; what is absent stays.
struct LiveEdit {
  std::optional<double> learningRate = {};  // the base rate; the schedule goes on
  std::optional<double> maxGradNorm = {};
  std::optional<std::int64_t> loggingSteps = {};
  std::optional<std::int64_t> saveSteps = {};
  std::optional<std::int64_t> evalSteps = {};
  bool empty() const { return !learningRate && !maxGradNorm && !loggingSteps && !saveSteps && !evalSteps; }
};

struct ControlCommand {
  std::string id = {};  // repeated in the reply; empty for a bare word
  ControlWord word = ControlWord::Save;
  LiveEdit edit = {};
};

struct ControlReply {
  std::string id = {};
  bool ok = true;
  std::string message = {};
  std::int64_t step = 0;  // at which it took effect, when that is known
};

std::string_view name(ControlWord word);  // "stop-now"

// A control line: {"id": "7", "do": "set", "set": {"learning_rate": 1e-5}}, or for people the bare words `save`,
// `stop`, `stop-now`, `pause`, `resume`, `evaluate`, `set {"learning_rate": 1e-5}`, `set learning_rate=1e-5
// save_steps=50`.
Result<ControlCommand> parseControlLine(std::string_view line);
std::string encodeControl(const ControlCommand& command);  // the JSON form, without newline

Result<ControlReply> parseReplyLine(std::string_view line);
std::string encodeReply(const ControlReply& reply);  // without newline

}  // namespace roadtune::protocol
