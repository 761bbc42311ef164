// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/event_shape.h"

#include "core/base/json_text.h"
#include "core/base/text.h"
#include "core/protocol/event.h"

#include <cmath>
#include <iterator>
#include <string>

namespace roadtune::protocol {

namespace {

std::size_t sizeOf(const nlohmann::json& value) { return jsonLine(value).size(); }

// Halves a text or list, or drops what cannot be halved. False when nothing was left to cut.
bool halve(nlohmann::json& value) {
  if (value.is_string()) {
    auto& text = value.get_ref<std::string&>();
    if (text.size() < 32) return false;
    text.resize(text.size() / 2);
    text = toValidUtf8(text);
    return true;
  }
  if (value.is_array() && value.size() > 1) {
    const auto keep = static_cast<std::ptrdiff_t>(value.size() / 2);
    value.erase(value.begin() + keep, value.end());
    return true;
  }
  if (value.is_array() && value.size() == 1) return halve(value.front());
  return false;
}

nlohmann::json::iterator longest(nlohmann::json& body) {
  auto best = body.begin();
  std::size_t bestSize = 0;
  for (auto at = body.begin(); at != body.end(); ++at) {
    const std::size_t size = sizeOf(*at) + at.key().size();
    if (size > bestSize) {
      bestSize = size;
      best = at;
    }
  }
  return best;
}

}  // namespace

void makeFinite(nlohmann::json& value) {
  if (value.is_number_float()) {
    const double plain = value.get<double>();
    if (!std::isfinite(plain)) value = number(plain);
  } else if (value.is_structured()) {
    for (auto& inner : value) makeFinite(inner);
  }
}

void shorten(nlohmann::json& body, std::size_t maxBytes) {
  body["truncated"] = true;
  while (sizeOf(body) > maxBytes && body.size() > 1) {
    const auto at = longest(body);
    if (!halve(*at)) body.erase(at);
  }
}

}  // namespace roadtune::protocol
