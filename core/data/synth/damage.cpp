// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/synth/damage.h"

#include "core/base/files.h"
#include "core/data/records/tfrecord_reader.h"
#include "core/data/records/waymo_v1_reader.h"

#include <algorithm>
#include <map>

namespace roadtune::data {

namespace {

constexpr std::size_t kGarbageBytes = 777;

// What is done to the bytes of one file.
struct Damage {
  std::size_t cutAt = std::string::npos;
  std::size_t flipAt = std::string::npos;
  std::size_t garbageAt = std::string::npos;
  bool inserted = true;  // garbage pushes what follows away; else it takes its place
};

void apply(const Damage& damage, std::string& bytes) {
  if (damage.flipAt < bytes.size()) bytes[damage.flipAt] ^= 0x10;
  if (damage.garbageAt < bytes.size()) {
    const std::size_t gone = damage.inserted ? 0 : std::min(kGarbageBytes, bytes.size() - damage.garbageAt);
    bytes.replace(damage.garbageAt, gone, std::string(kGarbageBytes, 'Z'));
  }
  if (damage.cutAt < bytes.size()) bytes.resize(damage.cutAt);
}

// The last record is cut, a picture of the second is changed, or garbage lies before the second.
Result<Damage> damageOfRecords(const fs::path& file, Corruption corruption) {
  ROADTUNE_TRY(auto reader, TfRecordReader::open(file));
  Damage damage;
  while (const auto record = reader.next()) {
    if (corruption == Corruption::Truncate) damage.cutAt = (record->offset + reader.bytes().size()) / 2;
    if (record->index != 1) continue;
    if (corruption == Corruption::Garbage) damage.garbageAt = record->offset;
    if (corruption != Corruption::Crc) continue;
    ROADTUNE_TRY(const auto frame, readWaymoFrame(record->payload, record->payloadOffset));
    if (!frame.images.empty()) damage.flipAt = frame.images.front().offset + frame.images.front().size / 2;
  }
  return damage;
}

// A line of annotations ends in its middle, or garbage lies before it.
Damage damageOfText(std::string_view text, Corruption corruption) {
  Damage damage;
  if (corruption == Corruption::Truncate) damage.cutAt = text.size() - text.size() / 4;
  const std::size_t line = text.find('\n');
  if (corruption == Corruption::Garbage) damage.garbageAt = line + 1 < text.size() ? line : text.size() / 2;
  return damage;
}

class DamagedSink : public SynthSink {
 public:
  DamagedSink(std::unique_ptr<SynthSink> inner, fs::path folder, Corruption corruption)
      : m_inner(std::move(inner)), m_folder(std::move(folder)), m_corruption(corruption) {}

  Status beginSegment(const std::string& context) override {
    m_contexts.push_back(context);
    return m_inner->beginSegment(context);
  }
  Status add(const SynthFrame& frame) override {
    const bool lacks = m_corruption == Corruption::MissingCamera && m_contexts.size() % 2 == 1;
    return m_inner->add(lacks ? withoutCamera(frame) : frame);
  }
  Status endSegment() override { return m_inner->endSegment(); }

  Status finish() override {
    ROADTUNE_CHECK(m_inner->finish());
    std::vector<fs::path> files;
    std::error_code ignored;
    for (const auto& entry : fs::recursive_directory_iterator(m_folder, ignored))
      if (entry.is_regular_file() && isChosen(entry.path())) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    if (!files.empty() && files.front().extension() == ".jpg") files.resize(1);
    for (const auto& file : files) ROADTUNE_CHECK(damage(file));
    return {};
  }

 private:
  static SynthFrame withoutCamera(SynthFrame frame) {
    constexpr int kMissing = static_cast<int>(Camera::FrontLeft);
    const auto isMissing = [](const auto& entry) { return entry.camera == kMissing; };
    for (std::size_t i = frame.frame.images.size(); i-- > 0;) {
      if (!isMissing(frame.frame.images[i])) continue;
      frame.frame.images.erase(frame.frame.images.begin() + static_cast<std::ptrdiff_t>(i));
      frame.jpegs.erase(frame.jpegs.begin() + static_cast<std::ptrdiff_t>(i));
    }
    std::erase_if(frame.frame.cameraLabels, isMissing);
    std::erase_if(frame.frame.projectedLabels, isMissing);
    return frame;
  }

  bool isOurs(const std::string& name) const {
    return std::any_of(m_contexts.begin(), m_contexts.end(),
                       [&](const std::string& context) { return name.find(context) != std::string::npos; });
  }

  bool isChosen(const fs::path& file) const {
    const std::string kind = file.extension();
    const bool text = kind == ".json" || kind == ".jsonl";
    if (!text && !isOurs(file.filename())) return false;
    const std::string table = file.parent_path().filename();
    switch (m_corruption) {
      case Corruption::Truncate:
      case Corruption::Garbage: return text || kind == ".tfrecord" || table == "camera_box";
      case Corruption::Crc: return kind == ".jpg" || kind == ".tfrecord" || table == "camera_image";
      case Corruption::MissingFile: return kind == ".jpg" || table == "camera_box";
      default: return false;
    }
  }

  Status damage(const fs::path& file) const {
    if (m_corruption == Corruption::MissingFile) {
      std::error_code code;
      fs::remove(file, code);
      return code ? Status(systemError(code.value(), "cannot remove", file.string())) : Status();
    }
    ROADTUNE_TRY(std::string bytes, readFile(file));
    ROADTUNE_TRY(const Damage damage, damageOf(file, bytes));
    apply(damage, bytes);
    return writeFileAtomically(file, bytes);
  }

  Result<Damage> damageOf(const fs::path& file, const std::string& bytes) const {
    const std::string kind = file.extension();
    if (kind == ".tfrecord") return damageOfRecords(file, m_corruption);
    if (kind == ".json" || kind == ".jsonl") return damageOfText(bytes, m_corruption);
    Damage damage;
    const std::size_t middle = bytes.size() / 2;
    if (m_corruption == Corruption::Truncate) damage.cutAt = middle;
    if (m_corruption == Corruption::Crc) damage.flipAt = middle;
    if (m_corruption == Corruption::Garbage) damage.garbageAt = middle / 2;
    damage.inserted = false;  // tables say where their parts lie
    return damage;
  }

  std::unique_ptr<SynthSink> m_inner;
  fs::path m_folder;
  Corruption m_corruption;
  std::vector<std::string> m_contexts;
};

}  // namespace

std::optional<Corruption> corruptionFromName(const std::string& name) {
  static const std::map<std::string, Corruption> names = {{"", Corruption::None},
                                                          {"none", Corruption::None},
                                                          {"truncate", Corruption::Truncate},
                                                          {"crc", Corruption::Crc},
                                                          {"garbage", Corruption::Garbage},
                                                          {"missing-camera", Corruption::MissingCamera},
                                                          {"missing-file", Corruption::MissingFile}};
  const auto found = names.find(name);
  if (found == names.end()) return std::nullopt;
  return found->second;
}

std::unique_ptr<SynthSink> makeDamagedSink(std::unique_ptr<SynthSink> inner, const std::filesystem::path& folder,
                                           Corruption corruption) {
  if (corruption == Corruption::None) return inner;
  return std::make_unique<DamagedSink>(std::move(inner), folder, corruption);
}

}  // namespace roadtune::data
