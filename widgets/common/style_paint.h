// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QPainter;
class QRect;
class QStyleOption;
class QStyleOptionComboBox;
class QStyleOptionHeader;
class QStyleOptionMenuItem;
class QStyleOptionProgressBar;
class QStyleOptionSlider;
class QStyleOptionSpinBox;
class QStyle;
class QStyleOptionTab;
class QStyleOptionToolButton;
class QWidget;

// The drawing behind StudioStyle, one function per thing.
namespace roadtune::widgets::paint {

void button(const QStyleOption& option, QPainter& painter, const QWidget* widget);
void toolButton(const QStyleOption& option, QPainter& painter, const QWidget* widget);
// Panel, label and, for a menu, a chevron in place of the platform's arrow.
void toolButtonWhole(const QStyleOptionToolButton& option, QPainter& painter, const QWidget* widget,
                     const QStyle& style);
void field(const QStyleOption& option, QPainter& painter, const QWidget* widget);
void checkBox(const QStyleOption& option, QPainter& painter);
void radioButton(const QStyleOption& option, QPainter& painter);
void comboBox(const QStyleOptionComboBox& option, QPainter& painter, const QWidget* widget);
void spinArrows(const QStyleOptionSpinBox& option, QPainter& painter, const QRect& up, const QRect& down);
void scrollBar(const QStyleOptionSlider& option, QPainter& painter, const QRect& handle);
void slider(const QStyleOptionSlider& option, QPainter& painter, const QRect& handle);
void tab(const QStyleOptionTab& option, QPainter& painter);
void header(const QStyleOptionHeader& option, QPainter& painter);
void progressGroove(const QStyleOptionProgressBar& option, QPainter& painter);
void progressContents(const QStyleOptionProgressBar& option, QPainter& painter);
void menuPanel(const QStyleOption& option, QPainter& painter);
void menuSeparator(const QStyleOptionMenuItem& option, QPainter& painter);
void itemSelection(const QStyleOption& option, QPainter& painter);
void branch(const QStyleOption& option, QPainter& painter);

}  // namespace roadtune::widgets::paint
