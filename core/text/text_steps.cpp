// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/text_steps.h"

#include "core/base/text.h"
#include "core/text/utf8.h"

#include <charconv>
#include <optional>

namespace roadtune::text {
namespace {

constexpr const char* kBlankMark = "\xE2\x96\x81";  // "▁"

std::string replaced(std::string_view text, const std::string& from, const std::string& to) {
  if (from.empty()) return std::string(text);
  std::string result;
  result.reserve(text.size());
  std::size_t at = 0;
  for (std::size_t found = text.find(from); found != std::string_view::npos; found = text.find(from, at)) {
    result.append(text, at, found - at).append(to);
    at = found + from.size();
  }
  return result.append(text.substr(at));
}

// The byte behind "<0x0A>".
std::optional<char> byteOf(const std::string& piece) {
  if (piece.size() != 6 || !startsWith(piece, "<0x") || piece.back() != '>') return std::nullopt;
  unsigned value = 0;
  const auto [end, error] = std::from_chars(piece.data() + 3, piece.data() + 5, value, 16);
  if (error != std::errc() || end != piece.data() + 5) return std::nullopt;
  return static_cast<char>(value);
}

std::vector<std::string> joinBytes(std::vector<std::string> pieces) {
  std::vector<std::string> result;
  std::string bytes;
  const auto flush = [&] {
    if (bytes.empty()) return;
    if (isUtf8(bytes)) {
      result.push_back(bytes);
    } else {
      for (std::size_t i = 0; i < bytes.size(); ++i) result.emplace_back("\xEF\xBF\xBD");
    }
    bytes.clear();
  };
  for (std::string& piece : pieces) {
    if (const auto byte = byteOf(piece)) {
      bytes.push_back(*byte);
      continue;
    }
    flush();
    result.push_back(std::move(piece));
  }
  flush();
  return result;
}

void strip(const DecodeStep& step, std::string& piece) {
  if (step.from.empty()) return;
  for (std::size_t i = 0; i < step.start && startsWith(piece, step.from); ++i) piece.erase(0, step.from.size());
  for (std::size_t i = 0; i < step.stop && endsWith(piece, step.from); ++i)
    piece.resize(piece.size() - step.from.size());
}

void splitOnce(const SplitStep& step, const std::string& text, std::vector<std::string>& pieces) {
  using Behaviour = SplitStep::Behaviour;
  std::string pending;
  std::size_t at = 0;
  const auto push = [&](std::string piece) {
    if (!piece.empty()) pieces.push_back(std::move(piece));
  };
  for (std::size_t found = text.find(step.pattern); found != std::string::npos; found = text.find(step.pattern, at)) {
    std::string before = pending + text.substr(at, found - at);
    pending.clear();
    if (step.behaviour == Behaviour::MergedWithPrevious) before += step.pattern;
    push(std::move(before));
    if (step.behaviour == Behaviour::Isolated) push(step.pattern);
    if (step.behaviour == Behaviour::MergedWithNext) pending = step.pattern;
    at = found + step.pattern.size();
  }
  push(pending + text.substr(at));
}

}  // namespace

std::string normalize(const std::vector<NormalizeStep>& steps, std::string_view text) {
  std::string result(text);
  for (const NormalizeStep& step : steps) {
    if (step.kind == NormalizeStep::Kind::Replace)
      result = replaced(result, step.from, step.to);
    else if (!result.empty())
      result.insert(0, step.to);
  }
  return result;
}

std::vector<std::string> splitText(const std::vector<SplitStep>& steps, std::string text) {
  std::vector<std::string> pieces{std::move(text)};
  for (const SplitStep& step : steps) {
    std::vector<std::string> next;
    for (const std::string& piece : pieces) splitOnce(step, piece, next);
    pieces = std::move(next);
  }
  return pieces;
}

std::string decodePieces(const std::vector<DecodeStep>& steps, std::vector<std::string> pieces) {
  for (const DecodeStep& step : steps) {
    switch (step.kind) {
      case DecodeStep::Kind::Replace:
        for (std::string& piece : pieces) piece = replaced(piece, step.from, step.to);
        break;
      case DecodeStep::Kind::ByteFallback: pieces = joinBytes(std::move(pieces)); break;
      case DecodeStep::Kind::Fuse: pieces = {join(pieces, "")}; break;
      case DecodeStep::Kind::Strip:
        for (std::string& piece : pieces) strip(step, piece);
        break;
    }
  }
  return join(pieces, "");
}

std::vector<NormalizeStep> gemmaNormalizer() { return {{NormalizeStep::Kind::Replace, " ", kBlankMark}}; }

std::vector<DecodeStep> gemmaDecoder() {
  return {{DecodeStep::Kind::Replace, kBlankMark, " "}, {DecodeStep::Kind::ByteFallback}, {DecodeStep::Kind::Fuse}};
}

}  // namespace roadtune::text
