// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/key_groups.h"

#include <QCoreApplication>

namespace roadtune::studio {

QVector<widgets::KeySheet::Group> keyGroups() {
  const auto tr = [](const char* text) { return QCoreApplication::translate("Keys", text); };
  return {
      {tr("Everywhere"),
       {{"Ctrl+1 … 4", tr("Data, Train, Runs, Fleet")},
        {"Ctrl+K", tr("Find a command")},
        {"/   Ctrl+F", tr("Find in this page")},
        {"[   ]", tr("Show or hide side panels")},
        {"Ctrl+,", tr("Settings")},
        {"F11", tr("Full screen")},
        {"?   F1", tr("This sheet")},
        {"Esc", tr("Back")}}},
      {tr("Data"),
       {{"Arrows  Home  End", tr("Move in the grid")},
        {"Space   Enter", tr("Open the image")},
        {"Shift   Ctrl", tr("Extend or add to the selection")},
        {"Ctrl+wheel", tr("Size of the thumbnails")},
        {"A   D", tr("Previous, next image")},
        {"P", tr("Play the segment")},
        {"T   N", tr("Tag, note")},
        {"M", tr("What the model sees")},
        {"H   L", tr("Boxes, their names")},
        {"Wheel   F", tr("Zoom, fit")}}},
      {tr("Train"),
       {{"Ctrl+Enter   F5", tr("Start run")},
        {"Ctrl+S", tr("Save the configuration")},
        {"Ctrl+Z   Ctrl+Y", tr("Undo, redo")},
        {"Space", tr("Change what a module does")},
        {"F  T  L  Q", tr("Paint frozen, full, LoRA, 4-bit")},
        {"Delete", tr("Back to what the settings say")}}},
      {tr("Runs"),
       {{"Shift+F5", tr("Save and stop")},
        {"Space", tr("Draw a run beside the one on show")},
        {"P   T   Delete", tr("Pin, tag, move to the trash")},
        {"Ctrl+Z   Ctrl+Y", tr("Undo, redo")},
        {"Click", tr("What happened at a step")},
        {"Drag   Wheel", tr("Zoom the plots")},
        {"Shift+drag", tr("Move along")},
        {"Double click   F", tr("Show the whole run")},
        {"Left   Right", tr("Move the crosshair")}}},
  };
}

}  // namespace roadtune::studio
