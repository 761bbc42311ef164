// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/key_groups.h"

#include <QCoreApplication>

namespace roadtune::studio {
namespace {
struct KeyText {
  Q_DECLARE_TR_FUNCTIONS(Keys)
};
}  // namespace

QVector<widgets::KeySheet::Group> keyGroups() {
  return {
      {KeyText::tr("Everywhere"),
       {{KeyText::tr("Ctrl+1 … 4"), KeyText::tr("Data, Train, Runs, Fleet")},
        {KeyText::tr("Ctrl+K   Ctrl+Shift+P"), KeyText::tr("Find a command")},
        {KeyText::tr("/   Ctrl+F"), KeyText::tr("Find in this page")},
        {KeyText::tr("[   ]"), KeyText::tr("Show or hide side panels")},
        {KeyText::tr("Ctrl+O"), KeyText::tr("Open an index")},
        {KeyText::tr("Ctrl+,"), KeyText::tr("Settings")},
        {KeyText::tr("F11"), KeyText::tr("Full screen")},
        {KeyText::tr("?   F1"), KeyText::tr("This sheet")},
        {KeyText::tr("Shift+F1"), KeyText::tr("Documentation")},
        {KeyText::tr("Esc"), KeyText::tr("Back")},
        {KeyText::tr("Ctrl+Q"), KeyText::tr("Quit")}}},
      {KeyText::tr("Data"),
       {{KeyText::tr("Arrows  Home  End"), KeyText::tr("Move in the grid")},
        {KeyText::tr("Space   Enter"), KeyText::tr("Open the image; Space closes it")},
        {KeyText::tr("Enter   Down   Esc"), KeyText::tr("From the query to its images")},
        {KeyText::tr("?"), KeyText::tr("In the query: what it can say")},
        {KeyText::tr("Menu"), KeyText::tr("What can be done with the images")},
        {KeyText::tr("Shift   Ctrl"), KeyText::tr("Extend or add to the selection")},
        {KeyText::tr("Ctrl+A"), KeyText::tr("Select all images of the query")},
        {KeyText::tr("Delete"), KeyText::tr("Take a histogram's range out of the query")},
        {KeyText::tr("Ctrl+wheel"), KeyText::tr("Size of the thumbnails")},
        {KeyText::tr("A   D"), KeyText::tr("Previous, next image")},
        {KeyText::tr("P"), KeyText::tr("Play the segment")},
        {KeyText::tr("T   N"), KeyText::tr("Tag, note")},
        {KeyText::tr("M"), KeyText::tr("What the model sees")},
        {KeyText::tr("H   L   J"), KeyText::tr("Boxes, their names, labels of the laser")},
        {KeyText::tr("Wheel   +   −   F"), KeyText::tr("Zoom, fit")},
        {KeyText::tr("Ctrl+Z   Ctrl+Y"), KeyText::tr("Undo, redo")}}},
      {KeyText::tr("Train"),
       {{KeyText::tr("Ctrl+Enter   F5"), KeyText::tr("Start run")},
        {KeyText::tr("Ctrl+S"), KeyText::tr("Save the configuration")},
        {KeyText::tr("Ctrl+Z   Ctrl+Y"), KeyText::tr("Undo, redo")},
        {KeyText::tr("Space"), KeyText::tr("Change what a module does")},
        {KeyText::tr("F  T  L  Q"), KeyText::tr("Paint frozen, full, LoRA, 4-bit")},
        {KeyText::tr("Delete"), KeyText::tr("Back to what the settings say")}}},
      {KeyText::tr("Runs"),
       {{KeyText::tr("Shift+F5"), KeyText::tr("Save and stop")},
        {KeyText::tr("Ctrl+Up   Ctrl+Down"), KeyText::tr("Go to a run without showing it; Enter shows it")},
        {KeyText::tr("Space   Ctrl+click"), KeyText::tr("Draw a run beside the one on show")},
        {KeyText::tr("P   T   Delete"), KeyText::tr("Pin, tag, move to the trash")},
        {KeyText::tr("Ctrl+Z   Ctrl+Y"), KeyText::tr("Undo, redo")},
        {KeyText::tr("Alt+Up   Alt+Down"), KeyText::tr("Let a run of the queue start earlier, later")},
        {KeyText::tr("R   A   Delete"), KeyText::tr("In the queue: try again, answer, take out")},
        {KeyText::tr("Click"), KeyText::tr("What happened at a step")},
        {KeyText::tr("Drag   Wheel   +   −"), KeyText::tr("Zoom the plots")},
        {KeyText::tr("Shift+drag"), KeyText::tr("Move along")},
        {KeyText::tr("Double click   F"), KeyText::tr("Show the whole run")},
        {KeyText::tr("Left   Right"), KeyText::tr("Move the crosshair")}}},
      {KeyText::tr("Fleet"),
       {{KeyText::tr("Arrows  Home  End"), KeyText::tr("Go from machine to machine")},
        {KeyText::tr("Enter"), KeyText::tr("Connect, or what can be done with the machine")},
        {KeyText::tr("Enter   Delete"), KeyText::tr("Under Earlier checks: show, take out")}}},
  };
}

}  // namespace roadtune::studio
