// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "widgets/common/tokens.h"

#include <map>
#include <string>
#include <vector>

namespace roadtune::widgets {

// How the classes of a dataset look, in its order. The four of the roads have colours of their own; the others take the
// series one after the other, free colours first, so that each keeps its own while the data is open. The thirteenth of
// those has the colour of the first again, and another mark.
std::vector<ClassLook> classLooks(const std::vector<std::string>& names);

// The colours among them, by name.
class ClassColours {
 public:
  ClassColours() = default;
  explicit ClassColours(const std::vector<std::string>& names);
  QColor of(const std::string& name, const QColor& otherwise = {}) const;

 private:
  std::map<std::string, QColor> m_colours;
};

}  // namespace roadtune::widgets
