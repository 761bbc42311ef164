// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace roadtune::data {

// An element of a small XML document. Its text is all that stands directly in it, trimmed; attributes are not kept.
struct XmlElement {
  std::string name, text;
  std::vector<XmlElement> children = {};

  const XmlElement* child(std::string_view called) const;  // the first; null where there is none
  std::string textOf(std::string_view called) const;       // of that child
};

// The root of a document that fits into memory. Entities of its own are not taken: a document that uses some is
// refused, as one is that lies deeper than any annotation does. Errors name the byte.
Result<XmlElement> parseXml(std::string_view document);

}  // namespace roadtune::data
