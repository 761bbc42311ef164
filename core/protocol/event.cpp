// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/event.h"

#include "core/base/json_text.h"
#include "core/base/text.h"
#include "core/protocol/event_shape.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace roadtune::protocol {

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Error notAnEvent(const std::string& why) { return badInput("not an event: " + why); }

std::string envelope(const Event& event) {
  return fmt::format(R"({{"v":{},"seq":{},"t":{:.6f},"mono":{:.6f},"rank":{},"step":{},"kind":)", event.version,
                     event.seq, event.t, event.mono, event.rank, event.step) +
         nlohmann::json(toValidUtf8(event.kind)).dump();
}

std::string line(const std::string& head, const nlohmann::json& body) {
  if (!body.is_object() || body.empty()) return head + "}";
  const std::string tail = jsonLine(body);
  return head + "," + tail.substr(1);
}

}  // namespace

std::string encode(const Event& event) {
  const std::string head = envelope(event);
  nlohmann::json body = event.body;
  makeFinite(body);
  std::string text = line(head, body);
  if (text.size() + 1 <= kMaxLineBytes) return text;
  shorten(body, kMaxLineBytes - head.size() - 64);
  return line(head, body);
}

Result<Event> decode(std::string_view text) {
  nlohmann::json parsed = nlohmann::json::parse(text, nullptr, false);
  if (parsed.is_discarded()) return notAnEvent("no JSON");
  if (!parsed.is_object()) return notAnEvent("no JSON object");
  Event event;
  event.version = static_cast<int>(integerOr(parsed, "v", 0));
  if (event.version < 1) return notAnEvent("no version");
  if (event.version > kFormatVersion)
    return failed(
        fmt::format("the events are of format version {}, this program knows up to {}", event.version, kFormatVersion),
        {}, "open the run with a newer version of the program");
  event.kind = textOr(parsed, "kind");
  if (event.kind.empty() || !parsed.contains("seq")) return notAnEvent("no kind or no number");
  const std::int64_t seq = integerOr(parsed, "seq", -1);
  if (seq < 0) return notAnEvent("a number below zero");
  event.seq = static_cast<std::uint64_t>(seq);
  event.t = numberOr(parsed, "t", 0);
  event.mono = numberOr(parsed, "mono", 0);
  event.rank = static_cast<int>(integerOr(parsed, "rank", 0));
  event.step = integerOr(parsed, "step", 0);
  for (const char* key : {"v", "seq", "t", "mono", "rank", "step", "kind"}) parsed.erase(key);
  event.body = std::move(parsed);
  return event;
}

nlohmann::json number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

double numberOr(const nlohmann::json& body, std::string_view key, double fallback) {
  if (!body.is_object()) return fallback;
  const auto found = body.find(key);
  if (found == body.end()) return fallback;
  if (found->is_number()) return found->get<double>();
  if (!found->is_string()) return fallback;
  const auto& word = found->get_ref<const std::string&>();
  if (word == "nan") return kNaN;
  if (word == "inf") return kInfinity;
  if (word == "-inf") return -kInfinity;
  return fallback;
}

std::int64_t integerOr(const nlohmann::json& body, std::string_view key, std::int64_t fallback) {
  const double value = numberOr(body, key, kNaN);
  if (!std::isfinite(value) || std::abs(value) > 9.2e18) return fallback;
  const auto found = body.find(key);
  return found->is_number_integer() ? found->get<std::int64_t>() : static_cast<std::int64_t>(value);
}

std::string textOr(const nlohmann::json& body, std::string_view key, std::string fallback) {
  if (!body.is_object()) return fallback;
  const auto found = body.find(key);
  return found != body.end() && found->is_string() ? found->get<std::string>() : fallback;
}

}  // namespace roadtune::protocol
