// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/detection_text.h"

#include "core/base/random.h"
#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace roadtune::text {
namespace {

double areaOf(const LocBox& box) { return (box.x2 - box.x1) * (box.y2 - box.y1); }

std::vector<std::size_t> orderOf(const std::vector<LabelledBox>& boxes, BoxOrdering ordering, std::uint64_t seed) {
  std::vector<std::size_t> order(boxes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto at = [&](std::size_t i) -> const LocBox& { return boxes[i].box; };
  switch (ordering) {
    case BoxOrdering::AsGiven: break;
    case BoxOrdering::TopLeft:
      std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return at(a).y1 != at(b).y1 ? at(a).y1 < at(b).y1 : at(a).x1 < at(b).x1;
      });
      break;
    case BoxOrdering::LargestFirst:
      std::stable_sort(order.begin(), order.end(),
                       [&](std::size_t a, std::size_t b) { return areaOf(at(a)) > areaOf(at(b)); });
      break;
    case BoxOrdering::Shuffled:
      Random random(seed);
      for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
      break;
  }
  return order;
}

// Output as the parser sees it, whether it came as ids or as text.
struct Word {
  enum class Kind { Loc, Seg, Text, End } kind = Kind::Text;
  int bin = 0;
  std::string text = {};
  std::size_t firstToken = 0, tokens = 1;
};

// Collects one object at a time: four <loc>, perhaps sixteen <seg>, then a label up to ';' or the next <loc>.
class ObjectReader {
 public:
  ObjectReader(double width, double height, LocDecoding decoding)
      : m_width(width), m_height(height), m_decoding(decoding) {}

  void read(const Word& word) {
    switch (word.kind) {
      case Word::Kind::Loc:
        if (!trim(m_label).empty() || m_segs > 0) finish();
        open(word);
        m_bins.push_back(word.bin);
        extend(word);
        break;
      case Word::Kind::Seg:
        if (!trim(m_label).empty()) finish();
        open(word);
        ++m_segs;
        extend(word);
        break;
      case Word::Kind::Text: readText(word); break;
      case Word::Kind::End: break;
    }
  }

  ParsedDetections take() {
    finish();
    return std::move(m_found);
  }

 private:
  void open(const Word& word) {
    if (m_open) return;
    m_open = true;
    m_first = word.firstToken;
  }
  void extend(const Word& word) { m_end = word.firstToken + word.tokens; }

  void readText(const Word& word) {
    std::string_view rest = word.text;
    for (std::size_t end = rest.find(';'); end != std::string_view::npos; end = rest.find(';')) {
      addLabel(rest.substr(0, end), word);
      finish();
      rest.remove_prefix(end + 1);
    }
    addLabel(rest, word);
  }

  void addLabel(std::string_view text, const Word& word) {
    if (!m_open && trim(text).empty()) return;
    open(word);
    m_label += text;
    if (!trim(text).empty()) extend(word);
  }

  void finish() {
    const std::string label(trim(m_label));
    if (m_bins.size() == 4 && !label.empty()) {
      addBox(label);
    } else if (!m_bins.empty() || m_segs > 0 || !label.empty()) {
      ++m_found.malformed;
    }
    m_open = false;
    m_bins.clear();
    m_segs = 0;
    m_label.clear();
  }

  void addBox(const std::string& label) {
    const auto unit = [&](std::size_t i) { return locUnit(m_bins[i], m_decoding); };
    ParsedBox box;
    box.box = {unit(1) * m_width, unit(0) * m_height, unit(3) * m_width, unit(2) * m_height};
    box.label = label;
    box.firstToken = m_first;
    box.tokens = m_end - m_first;
    box.valid = m_bins[2] > m_bins[0] && m_bins[3] > m_bins[1];
    m_found.boxes.push_back(std::move(box));
  }

  double m_width, m_height;
  LocDecoding m_decoding;
  ParsedDetections m_found;
  bool m_open = false;
  std::size_t m_first = 0, m_end = 0;
  std::vector<int> m_bins;
  int m_segs = 0;
  std::string m_label;
};

bool isBytePiece(const std::string& piece) { return piece.size() == 6 && startsWith(piece, "<0x"); }

// "<loc0007>" or "<seg007>" at the front of the text.
std::optional<Word> codeAtFront(std::string_view text) {
  for (const auto& [prefix, digits, limit, kind] :
       {std::tuple{std::string_view("<loc"), std::size_t{4}, kLocBins, Word::Kind::Loc},
        std::tuple{std::string_view("<seg"), std::size_t{3}, kSegCodes, Word::Kind::Seg}}) {
    if (!startsWith(text, prefix) || text.size() < prefix.size() + digits + 1) continue;
    const std::string_view number = text.substr(prefix.size(), digits);
    const bool numeric = std::all_of(number.begin(), number.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (!numeric || text[prefix.size() + digits] != '>') continue;
    Word word;
    word.kind = kind;
    word.bin = std::stoi(std::string(number));
    word.tokens = prefix.size() + digits + 1;  // characters, here
    if (word.bin < limit) return word;
  }
  return std::nullopt;
}

}  // namespace

Result<BoxOrdering> parseBoxOrdering(const std::string& name) {
  static const std::pair<const char*, BoxOrdering> kNames[] = {{"shuffle", BoxOrdering::Shuffled},
                                                               {"stored", BoxOrdering::AsGiven},
                                                               {"top_left", BoxOrdering::TopLeft},
                                                               {"area", BoxOrdering::LargestFirst}};
  std::vector<std::string> known;
  for (const auto& [word, value] : kNames) {
    if (name == word) return value;
    known.emplace_back(word);
  }
  return badInput(fmt::format("'{}' is no ordering of boxes", name), "box_order", join(known, ", "));
}

std::string detectionPrompt(const std::vector<std::string>& classes) { return "detect " + join(classes, " ; "); }

std::string detectionTarget(const std::vector<LabelledBox>& boxes, double width, double height, BoxOrdering ordering,
                            std::uint64_t seed) {
  std::string target;
  for (const std::size_t i : orderOf(boxes, ordering, seed)) {
    if (!target.empty()) target += " ; ";
    target += encodeBox(boxes[i].box, width, height) + " " + boxes[i].label;
  }
  return target;
}

ParsedDetections parseDetections(const Tokenizer& tokenizer, std::span<const std::int64_t> ids, double width,
                                 double height, LocDecoding decoding) {
  ObjectReader reader(width, height, decoding);
  for (std::size_t i = 0; i < ids.size();) {
    Word word;
    word.firstToken = i;
    if (ids[i] == tokenizer.special().eos) break;
    if (const auto bin = tokenizer.locBin(ids[i])) {
      word.kind = Word::Kind::Loc;
      word.bin = *bin;
    } else if (tokenizer.segCode(ids[i])) {
      word.kind = Word::Kind::Seg;
    } else if (!tokenizer.isSpecial(ids[i])) {
      while (isBytePiece(tokenizer.pieceOf(ids[i])) && i + word.tokens < ids.size() &&
             isBytePiece(tokenizer.pieceOf(ids[i + word.tokens])))
        ++word.tokens;
      word.text = tokenizer.decode(ids.subspan(i, word.tokens));
    }
    reader.read(word);
    i += word.tokens;
  }
  return reader.take();
}

ParsedDetections parseDetections(std::string_view text, double width, double height, LocDecoding decoding) {
  ObjectReader reader(width, height, decoding);
  text = text.substr(0, text.find("<eos>"));
  for (std::size_t at = 0; at < text.size();) {
    Word word;
    if (const auto code = codeAtFront(text.substr(at))) {
      word = *code;
    } else {
      const std::size_t next = text.find('<', at + 1);
      word.tokens = (next == std::string_view::npos ? text.size() : next) - at;
      word.text = text.substr(at, word.tokens);
    }
    word.firstToken = at;
    reader.read(word);
    at += word.tokens;
  }
  return reader.take();
}

}  // namespace roadtune::text
