// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/index/recognise.h"

#include "core/data/index/import_discovery.h"
#include "core/data/index/waymo_license.h"

#include <algorithm>

namespace roadtune::data {

namespace {

constexpr std::uint64_t kPeekBytes = 64'000'000;  // a frame with lidar has about 10 MB

// Lets a reader begin and stops it as soon as it has said whose data it is.
class Peek : public RecordingSink {
 public:
  bool waymo = false;

  bool advance(std::uint64_t bytes) override { return (m_bytes += bytes) < kPeekBytes; }
  void problem(Problem) override {}
  Status announce(const std::string&, bool isWaymo) override {
    waymo = isWaymo;
    return cancelled();
  }
  Result<std::uint64_t> storeBytes(std::span<const std::uint8_t>) override { return cancelled(); }
  Status deliver(Recording) override { return cancelled(); }

 private:
  std::uint64_t m_bytes = 0;
};

// Other formats carry Waymo's data only when an export left its attribution beside them.
bool isWaymo(const PlannedUnit& planned) {
  if (!planned.reader->format().starts_with("waymo")) return hasWaymoAttribution(planned.unit.base);
  Peek peek;
  (void)planned.reader->read(planned.unit, peek);
  return peek.waymo;
}

std::uint64_t bytesOf(const ImportUnit& unit) {
  std::uint64_t bytes = 0;
  for (const auto& file : unit.files) {
    std::error_code code;
    const auto size = std::filesystem::file_size(file, code);
    if (!code) bytes += size;
  }
  return bytes;
}

}  // namespace

bool Recognised::waymo() const {
  return std::any_of(formats.begin(), formats.end(), [](const RecognisedFormat& one) { return one.waymo; });
}

Recognised recognise(const std::vector<std::filesystem::path>& sources, const RecordingReaders& readers) {
  ImportPlan plan = planImport(sources, readers);
  Recognised found;
  for (const PlannedUnit& planned : plan.units) {
    const std::string format = planned.reader->format();
    auto at = std::find_if(found.formats.begin(), found.formats.end(),
                           [&](const RecognisedFormat& one) { return one.format == format; });
    if (at == found.formats.end()) {
      found.formats.push_back({.format = format, .splits = {}, .waymo = isWaymo(planned)});
      at = std::prev(found.formats.end());
    }
    ++at->recordings;
    at->files += planned.unit.files.size();
    at->bytes += bytesOf(planned.unit);
    ++at->splits[planned.unit.split.empty() ? planned.unit.guessedSplit : planned.unit.split];
  }
  found.problems = std::move(plan.problems);
  return found;
}

}  // namespace roadtune::data
