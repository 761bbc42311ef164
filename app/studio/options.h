// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/base/result.h"
#include "widgets/common/theme.h"

#include <QSize>
#include <QString>
#include <QStringList>

#include <optional>

namespace roadtune::studio {

// What the command line says; empty means "as last time".
struct Options {
  QString run, data, config;
  QStringList paths;  // opened as if they were dropped on the window
  QStringList runRoots;
  bool demo = false;
  QString demoFolder;
  QString page;  // data | train | runs | fleet
  std::optional<widgets::ThemeChoice> theme;
  QString language;    // en, de; empty: as set, or as the desktop
  QString screenshot;  // write one picture of the window and leave
  QSize size;
  double waitSeconds = 1.5;  // before the picture
  bool help = false, version = false;
  QString helpText;
};

Result<Options> parseOptions(const QStringList& arguments);

// What these words ask for that needs no window (help, version), printed; a machine without a display is told so. The
// exit code, or nothing: a window can be opened. Before there is an application, which Qt ends where no display is.
std::optional<int> answerWithoutWindow(int argc, char** argv);

}  // namespace roadtune::studio
