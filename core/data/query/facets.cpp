// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/data/query/engine_parts.h"
#include "core/data/query/values.h"

#include <algorithm>
#include <array>
#include <map>

namespace roadtune::data {

namespace {

// The conditions that must all hold, when the query is such a list.
std::vector<const QueryNode*> conjuncts(const QueryNode& root) {
  if (root.kind != QueryNode::Kind::And) return {&root};
  std::vector<const QueryNode*> result;
  for (const auto& child : root.children)
    for (const QueryNode* part : conjuncts(*child)) result.push_back(part);
  return result;
}

const QueryNode& withoutNot(const QueryNode& node) {
  return node.kind == QueryNode::Kind::Not ? withoutNot(*node.children.front()) : node;
}

struct FacetField {
  const char* name;
  ImageField field;  // Tag and Class have their own ways
  bool isClass = false;
};

constexpr std::array kFacets = {
    FacetField{"split", ImageField::Split},      FacetField{"camera", ImageField::Camera},
    FacetField{"time", ImageField::Time},        FacetField{"location", ImageField::Location},
    FacetField{"weather", ImageField::Weather},  FacetField{"labelled", ImageField::Labelled},
    FacetField{"class", ImageField::Note, true}, FacetField{"tag", ImageField::Tag}};

bool isAbout(const QueryNode& node, const FacetField& facet) {
  const QueryNode& inner = withoutNot(node);
  if (!facet.isClass) return inner.kind == QueryNode::Kind::Image && inner.field == facet.field;
  if (inner.kind != QueryNode::Kind::Boxes || inner.term.kind != BoxTerm::Kind::Any) return false;
  const auto& tests = inner.term.boxes->children;
  return tests.size() == 1 && tests.front()->kind == BoxExpr::Kind::Test && tests.front()->field == BoxField::Class;
}

const std::string& segmentWordOf(const SegmentInfo& info, ImageField field) {
  switch (field) {
    case ImageField::Split: return info.split;
    case ImageField::Time: return info.time;
    case ImageField::Location: return info.location;
    default: return info.weather;
  }
}

class FacetCounter {
 public:
  FacetCounter(Evaluator& evaluator, const CancelToken& cancel) : m_evaluator(evaluator), m_cancel(cancel) {}

  Status count(const FacetField& facet, const Bitmap& bits, std::map<std::string, std::size_t>& counts) {
    if (facet.isClass) return countClasses(bits, counts);
    if (facet.field == ImageField::Tag) return countTags(bits, counts);
    if (facet.field == ImageField::Camera) return countLeaves(bits, "camera", cameraWords(), counts);
    if (facet.field == ImageField::Labelled) return countLeaves(bits, "labelled", {"true", "false"}, counts);
    const Index& index = m_evaluator.index();
    for (std::size_t s = 0; s < index.segmentCount(); ++s) {
      const std::string& word = segmentWordOf(index.segment(s).info(), facet.field);
      counts[word.empty() ? "unknown" : word] += bits.count(index.firstImage(s), index.firstImage(s + 1));
    }
    return {};
  }

 private:
  static std::vector<std::string> cameraWords() {
    std::vector<std::string> words;
    for (const Camera camera : kIndexedCameras) words.emplace_back(lower(cameraName(camera)));
    return words;
  }

  // One cached bitmap per value.
  Status countLeaves(const Bitmap& bits, const std::string& field, const std::vector<std::string>& words,
                     std::map<std::string, std::size_t>& counts) {
    for (const std::string& word : words) {
      ROADTUNE_TRY(const Query query, Query::parse(field + " = " + word));
      ROADTUNE_TRY(const Bitmap* leaf, m_evaluator.leaf(*query.plan().where, m_cancel));
      counts[word] = bits.countBoth(*leaf);
    }
    return {};
  }

  Status countClasses(const Bitmap& bits, std::map<std::string, std::size_t>& counts) {
    ROADTUNE_TRY(const std::vector<Bitmap>* images, m_evaluator.classImages(m_cancel));
    // A class that occurs at all keeps its place, as the values of the other fields do.
    for (std::size_t i = 0; i < images->size(); ++i)
      if (const std::size_t found = bits.countBoth((*images)[i]); found > 0 || (*images)[i].any())
        counts[m_evaluator.index().classNames()[i]] += found;
    return {};
  }

  Status countTags(const Bitmap& bits, std::map<std::string, std::size_t>& counts) {
    for (const auto& [tag, images] : m_evaluator.tags())
      counts[tag] = static_cast<std::size_t>(std::count_if(
          images.begin(), images.end(), [&](ImageId image) { return image < bits.size() && bits.test(image); }));
    return {};
  }

  Evaluator& m_evaluator;
  const CancelToken& m_cancel;
};

bool selects(const QueryNode& node, const FacetField& facet, const std::string& value) {
  if (node.kind == QueryNode::Kind::Not || !isAbout(node, facet) || node.compare == Compare::NotEqual) return false;
  const auto& operands = facet.isClass ? node.term.boxes->children.front()->values : node.values;
  return std::any_of(operands.begin(), operands.end(),
                     [&](const Operand& operand) { return wordMatches(facet.field, value, operand.text); });
}

}  // namespace

Result<std::vector<Facet>> QueryEngine::facets(const Query& query, const CancelToken& cancel) {
  QueryError where;
  ROADTUNE_CHECK(check(query, where));
  Evaluator& evaluator = m_parts->evaluator;
  const auto parts = conjuncts(*query.plan().where);
  std::vector<Facet> facets;
  for (const FacetField& facet : kFacets) {
    Bitmap bits(evaluator.index().imageCount(), true);
    for (const QueryNode* part : parts) {
      if (isAbout(*part, facet)) continue;
      ROADTUNE_TRY(const Bitmap other, evaluator.evaluate(*part, cancel));
      bits.intersect(other);
    }
    std::map<std::string, std::size_t> counts;
    ROADTUNE_CHECK(FacetCounter(evaluator, cancel).count(facet, bits, counts));
    Facet result{.field = facet.name, .values = {}};
    for (const auto& [value, number] : counts) {
      const bool selected = std::any_of(parts.begin(), parts.end(), [&facet, word = value](const QueryNode* part) {
        return selects(*part, facet, word);
      });
      result.values.push_back({value, number, selected});
    }
    facets.push_back(std::move(result));
  }
  return facets;
}

}  // namespace roadtune::data
