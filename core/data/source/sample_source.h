// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "core/text/detection_text.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace roadtune::data {

// One thing to learn: an encoded image, the prompt, and the answer.
struct Sample {
  std::string id;             // "segment/timestamp/CAMERA" or "FILE:line": what messages and provenance name
  std::string prefix;         // "detect vehicle ; pedestrian ; cyclist"; without "<image>" and "\n"
  std::string suffix;         // "<loc0100>... vehicle ; ..."; may be empty
  bool answered = true;       // false: a question without an answer, which says nothing to learn
  std::string image;          // encoded bytes (JPEG, PNG ...), as stored
  int width = 0, height = 0;  // 0 when not known before decoding
  // The boxes that the suffix tells, in the order of the data; empty for questions, captions and JSONL text.
  std::vector<text::LabelledBox> boxes;
  // Regions of the wanted classes in which a found box is no mistake (Segment::crowdsOf). Evaluations ask for them;
  // nothing learns them, and they do not move along when a picture is augmented.
  std::vector<text::LabelledBox> crowds;
  // How the suffix orders them.
  text::BoxOrdering ordering = text::BoxOrdering::AsGiven;
  std::uint64_t orderSeed = 0;
};

// COCO files number their pictures, or name them.
using CocoImageId = std::variant<std::int64_t, std::string>;

// Samples by position. get() may be called from any number of threads at once, and answers the same for the same
// (i, epoch) on every machine. A sample that cannot be read is an error that names it; the source stays usable.
class SampleSource {
 public:
  virtual ~SampleSource() = default;
  virtual std::size_t size() const = 0;
  // `epoch` only matters for shuffled box order.
  virtual Result<Sample> get(std::size_t i, std::uint64_t epoch = 0) const = 0;
  // Text only, for length bucketing: no image bytes are read.
  virtual Result<Sample> text(std::size_t i, std::uint64_t epoch = 0) const = 0;
  virtual bool containsWaymoData() const { return false; }
  // What belongs together and must not be torn apart by a split: the segment of a recording, else the picture.
  // The same word on every machine.
  virtual std::string group(std::size_t i) const { return std::to_string(i); }
  // The same group in other data of this machine, where that can be known: two recordings of one segment, one file.
  virtual std::string origin(std::size_t i) const { return group(i); }
  virtual std::string split(std::size_t) const { return {}; }  // training, validation, testing; empty: not known
  // Which source of a mix a sample comes from.
  virtual std::size_t sourceOf(std::size_t) const { return 0; }
  // Classes that were asked for and are left out, because the data does not know them: of a mix, none of its sources.
  virtual std::vector<std::string> unknownClasses() const { return {}; }
  // What a COCO file calls its picture: its own `image_id` where the data is one; elsewhere as exports of the same
  // query count labelled images, from 1, also where some are no sample here, and images without labels after those.
  virtual CocoImageId imageId(std::size_t i) const { return static_cast<std::int64_t>(i) + 1; }
  // What a COCO file calls classes, `category_id` by name: likewise.
  virtual std::map<std::string, std::int64_t> categoryNumbers() const { return {}; }
};

enum class BoxOrder { Shuffle, TopLeft, Area, Stored };

// How an index becomes prompts and answers. JSONL sources carry their own text and ignore it.
struct TaskTemplate {
  std::string task = "detect";                                              // detect | vqa | caption
  std::vector<std::string> classes = {"vehicle", "pedestrian", "cyclist"};  // in prompt order
  BoxOrder order = BoxOrder::Shuffle;
  double minBoxPx = 0;       // shorter side in source pixels; smaller boxes are left out of the answer
  int maxBoxes = 0;          // 0: all; else the largest ones
  bool includeEmpty = true;  // labelled images without a wanted box: the answer is empty
  bool unlabelled = false;   // images of which nothing is known as well, to predict what they show
  std::string prompt = {};   // vqa | caption: overrides the prefix, e.g. "caption en"
  std::uint64_t seed = 42;   // of the box order
};

// One source of a mix: an index folder, a JSONL file, a COCO file, with a filter (indexes only) and a weight.
struct SourceSpec {
  std::string path;
  std::string query = {};
  double weight = 1;
  std::string task = {};      // empty: the template's
  std::string images = {};    // folder of the images; empty: beside the file
  std::string prepared = {};  // where the run keeps indexes of data that had to be imported; empty: nowhere
};

Result<std::unique_ptr<SampleSource>> openSource(const SourceSpec& spec, const TaskTemplate& task);

// A part of a source, cut between groups: `share` of them, drawn by the seed, are held out.
enum class SplitPart { Kept, HeldOut };
Result<std::unique_ptr<SampleSource>> splitByGroup(std::shared_ptr<const SampleSource> source, double share,
                                                   std::uint64_t seed, SplitPart part);

// No more than so many samples: the first ones, of each source of a mix as large a share. The source itself where it
// has no more.
std::shared_ptr<const SampleSource> firstOfEach(std::shared_ptr<const SampleSource> source, std::size_t most);

// Several sources as one. With all weights 1 they are simply joined; otherwise source k appears weight_k times
// (whole copies, and a seeded share of the rest), deterministically.
Result<std::unique_ptr<SampleSource>> openMix(const std::vector<SourceSpec>& specs, const TaskTemplate& task);

}  // namespace roadtune::data
