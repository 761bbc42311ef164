// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/tokens.h"

namespace roadtune::widgets {

const Tokens& lightTokens() {
  static const Tokens kLight{.dark = false,
                             .window = QColor(0xF6F7F8),
                             .surface = QColor(0xFFFFFF),
                             .raised = QColor(0xFFFFFF),
                             .line = QColor(0xDFE2E6),
                             .text = QColor(0x1B1F24),
                             .secondary = QColor(0x57606A),
                             .disabled = QColor(0x9AA3AD),
                             .accent = QColor(0x0B7A75),
                             .onAccent = QColor(0xFFFFFF),
                             .good = QColor(0x1A7F37),
                             .warn = QColor(0x9A6700),
                             .bad = QColor(0xC2362B)};
  return kLight;
}

const Tokens& darkTokens() {
  static const Tokens kDark{.dark = true,
                            .window = QColor(0x15171B),
                            .surface = QColor(0x1C1F24),
                            .raised = QColor(0x252930),
                            .line = QColor(0x333942),
                            .text = QColor(0xE7EAED),
                            .secondary = QColor(0x9DA7B3),
                            .disabled = QColor(0x5F6873),
                            .accent = QColor(0x35B5AB),
                            .onAccent = QColor(0x0E1416),
                            .good = QColor(0x3FB950),
                            .warn = QColor(0xD29922),
                            .bad = QColor(0xF0655A)};
  return kDark;
}

QColor seriesColour(std::size_t index) {
  static const std::array kSeries = {QColor(0x0072B2), QColor(0xE69F00), QColor(0x009E73), QColor(0xCC79A7),
                                     QColor(0x56B4E9), QColor(0xD55E00), QColor(0x999999)};
  return kSeries[index % kSeries.size()];
}

ClassLook classLook(std::string_view className) {
  if (className == "vehicle") return {QColor(0x56B4E9), ClassMark::None};
  if (className == "pedestrian") return {QColor(0xE69F00), ClassMark::Corners};
  if (className == "cyclist") return {QColor(0xCC79A7), ClassMark::Sides};
  if (className == "sign") return {QColor(0xBDB76B), ClassMark::SecondLine};
  return {QColor(0xB0B8C1), ClassMark::SecondLine};
}

QColor mixed(const QColor& under, const QColor& over, double share) {
  const auto blend = [share](int a, int b) { return static_cast<int>(a + (b - a) * share + 0.5); };
  return {blend(under.red(), over.red()), blend(under.green(), over.green()), blend(under.blue(), over.blue())};
}

}  // namespace roadtune::widgets
