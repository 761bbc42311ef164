// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/studio_style.h"

#include "widgets/common/style_paint.h"
#include "widgets/common/theme.h"

#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QPainterPath>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSlider>
#include <QStyleFactory>
#include <QStyleOption>
#include <QTabBar>
#include <QToolButton>

namespace roadtune::widgets {

namespace {
constexpr int kHeaderMargin = 7;  // above and below the words of a table's head
}

StudioStyle::StudioStyle() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}

int StudioStyle::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
  switch (metric) {
    case PM_SplitterWidth: return 1;
    case PM_ScrollBarExtent: return 10;
    case PM_ScrollBarSliderMin: return 32;
    case PM_LayoutLeftMargin:
    case PM_LayoutRightMargin:
    case PM_LayoutTopMargin:
    case PM_LayoutBottomMargin: return metrics::kPadding;
    case PM_LayoutHorizontalSpacing:
    case PM_LayoutVerticalSpacing: return metrics::kGap;
    case PM_ButtonIconSize:
    case PM_SmallIconSize:
    case PM_ToolBarIconSize:
    case PM_TabBarIconSize: return 16;
    case PM_IndicatorWidth:
    case PM_IndicatorHeight:
    case PM_ExclusiveIndicatorWidth:
    case PM_ExclusiveIndicatorHeight: return 16;
    case PM_SliderLength: return 14;
    case PM_TabBarTabHSpace: return 24;
    case PM_TabBarTabShiftVertical:
    case PM_TabBarTabShiftHorizontal:
    case PM_ButtonShiftHorizontal:
    case PM_ButtonShiftVertical: return 0;
    case PM_TreeViewIndentation: return 16;
    case PM_MenuHMargin:
    case PM_MenuVMargin: return metrics::kGrid;
    case PM_FocusFrameHMargin: return metrics::kPadding - 1;  // Qt adds one
    case PM_HeaderMargin: return kHeaderMargin;
    default: return QProxyStyle::pixelMetric(metric, option, widget);
  }
}

int StudioStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                           QStyleHintReturn* returned) const {
  switch (hint) {
    case SH_Widget_Animate:
    case SH_Widget_Animation_Duration:
    case SH_EtchDisabledText:
    case SH_DitherDisabledText:
    case SH_ComboBox_Popup:
    case SH_ItemView_ActivateItemOnSingleClick: return 0;
    case SH_TabBar_Alignment: return Qt::AlignLeft;
    case SH_ScrollView_FrameOnlyAroundContents: return 0;
    case SH_Slider_AbsoluteSetButtons: return Qt::LeftButton;
    case SH_ToolTip_WakeUpDelay: return 500;
    case SH_Menu_Mask:  // where nobody blends windows, what is see-through is black
      if (auto* mask = qstyleoption_cast<QStyleHintReturnMask*>(returned); mask && option) {
        QPainterPath outline;
        outline.addRoundedRect(QRectF(option->rect), metrics::kRadius, metrics::kRadius);
        mask->region = QRegion(outline.toFillPolygon().toPolygon());
      }
      return 1;
    default: return QProxyStyle::styleHint(hint, option, widget, returned);
  }
}

QSize StudioStyle::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                                    const QWidget* widget) const {
  QSize result = QProxyStyle::sizeFromContents(type, option, size, widget);
  switch (type) {
    case CT_PushButton: {
      const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option);
      const bool iconOnly = button && button->text.isEmpty();
      result.setHeight(metrics::kControlHeight);
      const bool compact = widget && widget->property("compact").toBool();
      result.setWidth(iconOnly  ? metrics::kControlHeight
                      : compact ? size.width() + 12
                                : std::max(result.width() + 16, 72));
      return result;
    }
    case CT_LineEdit:
    case CT_SpinBox: result.setHeight(metrics::kControlHeight); return result;
    case CT_ComboBox:
      result.setHeight(metrics::kControlHeight);
      result.setWidth(result.width() + 8);
      return result;
    case CT_ToolButton: {
      const auto* button = qstyleoption_cast<const QStyleOptionToolButton*>(option);
      const bool text = button && !button->text.isEmpty() && button->toolButtonStyle != Qt::ToolButtonIconOnly;
      result = QSize(result.width() + (text ? 8 : 0), metrics::kControlHeight);
      return result.expandedTo(QSize(metrics::kControlHeight, metrics::kControlHeight));
    }
    case CT_MenuItem: {
      const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option);
      if (item && item->menuItemType != QStyleOptionMenuItem::Separator) {
        result.setHeight(metrics::kControlHeight);
        result.setWidth(result.width() + 16);
      }
      return result;
    }
    case CT_TabBarTab: result.setHeight(32); return result;
    case CT_ItemViewItem: result.setHeight(std::max(result.height(), metrics::kRowHeight)); return result;
    case CT_HeaderSection: return {result.width() + 2 * (metrics::kPadding - kHeaderMargin), metrics::kRowHeight};
    default: return result;
  }
}

QRect StudioStyle::subElementRect(SubElement element, const QStyleOption* option, const QWidget* widget) const {
  if (element == SE_LineEditContents) return option->rect.adjusted(6, 1, -6, -1);
  if (element == SE_ProgressBarGroove || element == SE_ProgressBarContents) return option->rect;
  return QProxyStyle::subElementRect(element, option, widget);
}

QRect StudioStyle::subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl sub,
                                  const QWidget* widget) const {
  const QRect& r = option->rect;
  if (control == CC_ComboBox) {
    if (sub == SC_ComboBoxEditField) return r.adjusted(8, 2, -24, -2);
    if (sub == SC_ComboBoxArrow) return {r.right() - 23, r.top(), 24, r.height()};
  }
  if (control == CC_SpinBox) {
    const auto* spin = qstyleoption_cast<const QStyleOptionSpinBox*>(option);
    const bool arrows = spin && spin->buttonSymbols != QAbstractSpinBox::NoButtons;
    const int width = arrows ? 20 : 0;
    if (sub == SC_SpinBoxEditField) return r.adjusted(2, 2, -width - 2, -2);
    if (sub == SC_SpinBoxUp) return {r.right() - width, r.top() + 2, width, r.height() / 2 - 2};
    if (sub == SC_SpinBoxDown) return {r.right() - width, r.center().y() + 1, width, r.height() / 2 - 2};
  }
  if (control == CC_ScrollBar) {
    const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option);
    if (bar && (sub == SC_ScrollBarAddLine || sub == SC_ScrollBarSubLine)) return {};
    if (bar && sub == SC_ScrollBarGroove) return r;
    if (bar && (sub == SC_ScrollBarSlider || sub == SC_ScrollBarAddPage || sub == SC_ScrollBarSubPage)) {
      const bool horizontal = bar->orientation == Qt::Horizontal;
      const int length = horizontal ? r.width() : r.height();
      const int range = std::max(bar->maximum - bar->minimum, 0);
      const double share = range == 0 ? 1.0 : double(bar->pageStep) / (double(range) + bar->pageStep);
      const int handle = std::clamp(int(length * share), std::min(32, length), length);
      const int at =
          sliderPositionFromValue(bar->minimum, bar->maximum, bar->sliderPosition, length - handle, bar->upsideDown);
      const auto piece = [&](int from, int size) {
        return horizontal ? QRect(r.left() + from, r.top(), size, r.height())
                          : QRect(r.left(), r.top() + from, r.width(), size);
      };
      if (sub == SC_ScrollBarSlider) return piece(at, handle);
      return sub == SC_ScrollBarSubPage ? piece(0, at) : piece(at + handle, length - at - handle);
    }
  }
  return QProxyStyle::subControlRect(control, option, sub, widget);
}

void StudioStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                                const QWidget* widget) const {
  const Tokens& t = Theme::tokens();
  switch (element) {
    case PE_PanelButtonCommand: return paint::button(*option, *painter, widget);
    case PE_PanelButtonTool: return paint::toolButton(*option, *painter, widget);
    case PE_FrameFocusRect: return;
    case PE_FrameDefaultButton: return;
    case PE_FrameLineEdit:
    case PE_PanelLineEdit:
      if (widget && (qobject_cast<const QAbstractSpinBox*>(widget->parentWidget()) ||
                     qobject_cast<const QComboBox*>(widget->parentWidget()))) {
        return;
      }
      return paint::field(*option, *painter, widget);
    case PE_IndicatorCheckBox: return paint::checkBox(*option, *painter);
    case PE_IndicatorItemViewItemCheck: return paint::checkBox(*option, *painter);
    case PE_IndicatorRadioButton: return paint::radioButton(*option, *painter);
    case PE_PanelItemViewItem: return paint::itemSelection(*option, *painter);
    case PE_PanelItemViewRow: return;
    case PE_IndicatorBranch: return paint::branch(*option, *painter);
    case PE_FrameTabWidget: return;
    case PE_FrameTabBarBase: {
      const QRect& r = option->rect;
      painter->fillRect(QRect(r.left(), r.bottom(), r.width(), 1), t.line);
      return;
    }
    case PE_PanelMenu: return paint::menuPanel(*option, *painter);
    case PE_FrameMenu: return;  // the panel has it
    case PE_Frame:
      if (qobject_cast<const QPlainTextEdit*>(widget)) return paint::field(*option, *painter, widget);
      painter->setPen(t.line);
      painter->setBrush(Qt::NoBrush);
      painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
      return;
    default: QProxyStyle::drawPrimitive(element, option, painter, widget);
  }
}

void StudioStyle::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                              const QWidget* widget) const {
  switch (element) {
    case CE_MenuItem:
      if (const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option);
          item && item->menuItemType == QStyleOptionMenuItem::Separator && item->text.isEmpty())
        return paint::menuSeparator(*item, *painter);
      break;
    case CE_MenuEmptyArea: return;
    case CE_Splitter: painter->fillRect(option->rect, Theme::tokens().line); return;
    case CE_TabBarTabShape: return;
    case CE_TabBarTabLabel:
      if (const auto* tab = qstyleoption_cast<const QStyleOptionTab*>(option)) return paint::tab(*tab, *painter);
      break;
    case CE_HeaderLabel:
      if (const auto* head = qstyleoption_cast<const QStyleOptionHeader*>(option)) {
        // The margin counts for the height too, which letters of any size may have whole; at the sides there is more.
        QStyleOptionHeader own(*head);
        own.rect.adjust(metrics::kPadding - kHeaderMargin, -kHeaderMargin, kHeaderMargin - metrics::kPadding,
                        kHeaderMargin);
        if (!(own.textAlignment & Qt::AlignVertical_Mask)) own.textAlignment |= Qt::AlignVCenter;
        return QProxyStyle::drawControl(element, &own, painter, widget);
      }
      break;
    case CE_HeaderSection:
    case CE_HeaderEmptyArea:
      if (const auto* head = qstyleoption_cast<const QStyleOptionHeader*>(option))
        return paint::header(*head, *painter);
      painter->fillRect(option->rect, Theme::tokens().surface);
      return;
    case CE_ProgressBarGroove:
      if (const auto* bar = qstyleoption_cast<const QStyleOptionProgressBar*>(option))
        return paint::progressGroove(*bar, *painter);
      break;
    case CE_ProgressBarContents:
      if (const auto* bar = qstyleoption_cast<const QStyleOptionProgressBar*>(option))
        return paint::progressContents(*bar, *painter);
      break;
    case CE_ShapedFrame:
      if (const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option)) {
        if (frame->frameShape == QFrame::HLine || frame->frameShape == QFrame::VLine) {
          const QRect& r = frame->rect;
          const bool flat = frame->frameShape == QFrame::HLine;
          painter->fillRect(
              flat ? QRect(r.left(), r.center().y(), r.width(), 1) : QRect(r.center().x(), r.top(), 1, r.height()),
              Theme::tokens().line);
          return;
        }
      }
      break;
    case CE_ItemViewItem:
      if (const auto* item = qstyleoption_cast<const QStyleOptionViewItem*>(option)) {
        QStyleOptionViewItem plain(*item);
        plain.palette.setColor(QPalette::HighlightedText, plain.palette.color(QPalette::Text));
        return QProxyStyle::drawControl(element, &plain, painter, widget);
      }
      break;
    case CE_PushButtonLabel:
      if (const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option)) {
        QStyleOptionButton own(*button);
        const bool primary = widget && widget->property("primary").toBool() && own.state.testFlag(State_Enabled);
        if (primary) own.palette.setColor(QPalette::ButtonText, Theme::tokens().onAccent);
        return QProxyStyle::drawControl(element, &own, painter, widget);
      }
      break;
    default: break;
  }
  QProxyStyle::drawControl(element, option, painter, widget);
}

void StudioStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                                     const QWidget* widget) const {
  switch (control) {
    case CC_ComboBox:
      if (const auto* combo = qstyleoption_cast<const QStyleOptionComboBox*>(option))
        return paint::comboBox(*combo, *painter, widget);
      break;
    case CC_SpinBox:
      if (const auto* spin = qstyleoption_cast<const QStyleOptionSpinBox*>(option)) {
        paint::field(*spin, *painter, widget);
        if (spin->buttonSymbols != QAbstractSpinBox::NoButtons) {
          paint::spinArrows(*spin, *painter, subControlRect(CC_SpinBox, spin, SC_SpinBoxUp, widget),
                            subControlRect(CC_SpinBox, spin, SC_SpinBoxDown, widget));
        }
        return;
      }
      break;
    case CC_ScrollBar:
      if (const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option)) {
        return paint::scrollBar(*bar, *painter, subControlRect(CC_ScrollBar, bar, SC_ScrollBarSlider, widget));
      }
      break;
    case CC_ToolButton:
      if (const auto* button = qstyleoption_cast<const QStyleOptionToolButton*>(option))
        return paint::toolButtonWhole(*button, *painter, widget, *this);
      break;
    case CC_Slider:
      if (const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option);
          bar && bar->orientation == Qt::Horizontal) {
        return paint::slider(*bar, *painter, subControlRect(CC_Slider, bar, SC_SliderHandle, widget));
      }
      break;
    default: break;
  }
  QProxyStyle::drawComplexControl(control, option, painter, widget);
}

void StudioStyle::polish(QWidget* widget) {
  if (qobject_cast<QAbstractButton*>(widget) || qobject_cast<QComboBox*>(widget) || qobject_cast<QScrollBar*>(widget) ||
      qobject_cast<QTabBar*>(widget) || qobject_cast<QSlider*>(widget)) {
    widget->setAttribute(Qt::WA_Hover);
  }
  if (qobject_cast<QMenu*>(widget)) widget->setAttribute(Qt::WA_TranslucentBackground);  // round corners
  QProxyStyle::polish(widget);
}

}  // namespace roadtune::widgets
