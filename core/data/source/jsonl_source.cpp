// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/files.h"
#include "core/base/mapped_file.h"
#include "core/base/text.h"
#include "core/base/unique_fd.h"
#include "core/data/image/image.h"
#include "core/data/image/image_header.h"
#include "core/data/index/image_lookup.h"
#include "core/data/index/recording.h"
#include "core/data/index/waymo_license.h"
#include "core/data/records/waymo_types.h"
#include "core/data/source/sources.h"

#include <nlohmann/json.hpp>

#include <cerrno>
#include <fcntl.h>
#include <mutex>
#include <unistd.h>

namespace roadtune::data {

namespace {

using nlohmann::json;

class JsonlSource : public SampleSource {
 public:
  JsonlSource(fs::path file, std::string_view content, UniqueFd fd, const fs::path& images)
      : m_file(std::move(file)),
        m_folder(images.empty() ? fs::absolute(m_file).parent_path() : fs::absolute(images)),
        m_fd(std::move(fd)),
        m_lookup(fs::absolute(m_file), images.empty() ? std::vector<fs::path>{} : std::vector<fs::path>{images}),
        m_waymo(hasWaymoAttribution(fs::absolute(m_file).parent_path())) {
    findLines(content);
  }

  std::size_t size() const override { return m_lines.size(); }
  bool containsWaymoData() const override { return m_waymo; }
  std::map<std::string, std::int64_t> categoryNumbers() const override { return numberedByPlace(Recording().classes); }

  // Questions about the same picture stay together, and so do the pictures of a recording.
  std::string group(std::size_t i) const override {
    const std::string image = imageNamed(i);
    if (image.empty()) return std::to_string(m_lines[i].number);
    const auto segment = segmentOfPicture(image);
    return segment.empty() ? nameWithin(image) : std::string(segment);
  }

  std::string origin(std::size_t i) const override {
    const std::string image = imageNamed(i);
    return (image.empty() ? m_file / std::to_string(m_lines[i].number) : m_folder / image).lexically_normal().string();
  }

  Result<Sample> text(std::size_t i, std::uint64_t epoch) const override {
    static_cast<void>(epoch);
    Sample sample;
    ROADTUNE_TRY(const fs::path image, parse(i, sample));
    return sample;
  }

  Result<Sample> get(std::size_t i, std::uint64_t epoch) const override {
    static_cast<void>(epoch);
    Sample sample;
    ROADTUNE_TRY(const fs::path image, parse(i, sample));
    ROADTUNE_TRY(sample.image, readFile(image));
    const Result<ImageHeader> header = readImageHeader(asBytes(sample.image));
    if (!header.ok()) return badInput(image.string() + ": " + header.error().what, sample.id);
    sample.width = header.value().width;
    sample.height = header.value().height;
    return sample;
  }

 private:
  struct Line {
    std::uint64_t offset = 0, length = 0, number = 0;
  };

  void findLines(std::string_view all) {
    std::uint64_t number = 0;
    for (std::size_t at = 0; at < all.size();) {
      const std::size_t end = std::min(all.find('\n', at), all.size());
      ++number;
      if (!trim(all.substr(at, end - at)).empty()) m_lines.push_back({at, end - at, number});
      at = end + 1;
    }
  }

  // Read anew each time: a file that somebody writes to while a run goes on may have become shorter.
  std::string lineText(const Line& line) const {
    std::string text(line.length, '\0');
    for (std::size_t at = 0; at < text.size();) {
      const ssize_t got = ::pread(m_fd.get(), text.data() + at, text.size() - at, static_cast<off_t>(line.offset + at));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return "";
      at += static_cast<std::size_t>(got);
    }
    return text;
  }

  // One name however the path is written, and the same one wherever the folder lies.
  std::string nameWithin(const fs::path& image) const {
    const fs::path whole = (m_folder / image).lexically_normal();
    const fs::path name = whole.lexically_relative(m_folder.lexically_normal());
    return (image.is_absolute() && *name.begin() == ".." ? whole : name).string();
  }

  std::string imageNamed(std::size_t i) const {
    const json entry = json::parse(lineText(m_lines[i]), nullptr, false);
    const bool named = entry.is_object() && entry.contains("image") && entry["image"].is_string();
    return named ? entry["image"].get<std::string>() : std::string();
  }

  // Fills in what the line says and answers where its picture is.
  Result<fs::path> parse(std::size_t i, Sample& sample) const {
    const Line& line = m_lines[i];
    sample.id = m_file.string() + ":" + std::to_string(line.number);
    const std::string written = lineText(line);
    if (written.empty())
      return badInput("the file became shorter while it was read", sample.id,
                      "write a changed file under another name, or move it over the old one");
    const json entry = json::parse(written, nullptr, false);
    if (!entry.is_object()) return badInput("the line is not a JSON object", sample.id);
    for (const auto& [key, target] : {std::pair{"prefix", &sample.prefix}, std::pair{"suffix", &sample.suffix}}) {
      const auto found = entry.find(key);
      if (found == entry.end() || found->is_null()) {
        sample.answered = sample.answered && target != &sample.suffix;
        continue;
      }
      if (!found->is_string()) return badInput(std::string("\"") + key + "\" is not a text", sample.id);
      *target = found->get<std::string>();
    }
    const auto image = entry.find("image");
    if (image == entry.end() || !image->is_string()) return badInput("the line has no \"image\"", sample.id);
    const std::lock_guard lock(m_mutex);
    const auto file = m_lookup.find(image->get<std::string>());
    if (!file)
      return badInput("picture " + image->get<std::string>() + " was not found", sample.id,
                      "paths are relative to the JSONL file");
    return *file;
  }

  fs::path m_file, m_folder;
  UniqueFd m_fd;
  std::vector<Line> m_lines;
  mutable std::mutex m_mutex;
  mutable ImageLookup m_lookup;
  bool m_waymo = false;
};

}  // namespace

Result<std::unique_ptr<SampleSource>> openJsonlSource(const SourceSpec& spec) {
  if (!trim(spec.query).empty())
    return badInput("a query needs an index; this is a JSONL file", spec.path,
                    "import it with `roadtune data index`, or remove the query");
  ROADTUNE_TRY(const MappedFile content, MappedFile::open(spec.path));
  UniqueFd fd(::open(spec.path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.valid()) return systemError(errno, "cannot be opened", spec.path);
  auto source = std::make_unique<JsonlSource>(spec.path, content.text(), std::move(fd), spec.images);
  if (source->size() == 0) return badInput("holds no line", spec.path);
  return std::unique_ptr<SampleSource>(std::move(source));
}

}  // namespace roadtune::data
