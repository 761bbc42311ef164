// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/frame/guide_window.h"

#include "widgets/common/controls.h"
#include "widgets/common/notice_bar.h"
#include "widgets/common/theme.h"

#include <QDir>
#include <QFileInfo>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QScrollBar>
#include <QShortcut>
#include <QSplitter>
#include <QTextBlock>
#include <QTextDocument>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace roadtune::widgets {
namespace {

constexpr int kTextWidth = 860, kListWidth = 220, kMostMarks = 500, kAboveHeading = 12, kAround = 80;
constexpr QSize kGuideSize(1120, 780);

}  // namespace

GuideBrowser::GuideBrowser(QWidget* parent) : QTextBrowser(parent) {
  setObjectName(QStringLiteral("guideText"));
  setAccessibleName(tr("Page of the guide"));
  setFrameShape(QFrame::NoFrame);
  setOpenLinks(false);
  setLineWrapMode(FixedPixelWidth);
}

void GuideBrowser::show(const QString& file) {
  auto& page = m_pages[file];
  if (!page) {
    page = std::make_unique<QTextDocument>();
    page->setUndoRedoEnabled(false);
    page->setDefaultFont(baseFont());
    // "<loc>" is a word, and no mark that hides what comes after it.
    page->setMarkdown(guideText(file), QTextDocument::MarkdownFeatures(QTextDocument::MarkdownDialectGitHub) |
                                           QTextDocument::MarkdownNoHTML);
    dressGuide(*page);
  }
  m_place = {file, 0};
  if (document() != page.get()) setDocument(page.get());
}

void GuideBrowser::go(const QString& file, const QString& heading) {
  if (!m_place.file.isEmpty()) m_back.push_back({m_place.file, verticalScrollBar()->value()});
  m_forward.clear();
  show(file);
  const QTextBlock block = guideHeading(*document(), heading);
  setTextCursor(block.isValid() ? QTextCursor(block) : QTextCursor(document()));
  verticalScrollBar()->setValue(block.isValid() ? cursorRect().top() + verticalScrollBar()->value() - kAboveHeading
                                                : 0);
  emit historyChanged(!m_back.empty(), false);
  emit shown();
}

void GuideBrowser::goBack() { move(m_back, m_forward); }
void GuideBrowser::goForward() { move(m_forward, m_back); }

void GuideBrowser::move(std::vector<Place>& from, std::vector<Place>& to) {
  if (from.empty()) return;
  to.push_back({m_place.file, verticalScrollBar()->value()});
  const Place place = from.back();
  from.pop_back();
  show(place.file);
  verticalScrollBar()->setValue(place.scrolled);
  emit historyChanged(!m_back.empty(), !m_forward.empty());
  emit shown();
}

bool GuideBrowser::findWords(const QString& words, QTextDocument::FindFlags way) {
  if (!find(words, way)) return false;
  const QRect at = cursorRect(), room = viewport()->rect().adjusted(0, kAround, 0, -kAround);
  if (!room.contains(at.center()))
    verticalScrollBar()->setValue(verticalScrollBar()->value() + at.top() - viewport()->height() / 3);
  return true;
}

void GuideBrowser::dressAgain() {
  if (m_place.file.isEmpty()) return;
  const int scrolled = verticalScrollBar()->value();
  const auto before = std::exchange(m_pages, {});  // the one on show goes when the next has come
  show(m_place.file);
  verticalScrollBar()->setValue(scrolled);
}

void GuideBrowser::resizeEvent(QResizeEvent* event) {
  QTextBrowser::resizeEvent(event);
  setLineWrapColumnOrWidth(std::min(viewport()->width(), kTextWidth));
}

GuideWindow::GuideWindow(QWidget* parent)
    : QWidget(parent),
      m_pages(guidePages()),
      m_notice(new NoticeBar),
      m_browser(new GuideBrowser),
      m_list(new QListWidget) {
  setObjectName(QStringLiteral("guideWindow"));
  setWindowTitle(tr("Documentation"));
  setWindowIcon(QIcon(QStringLiteral(":/icons/roadtune-studio.svg")));
  resize(kGuideSize);
  m_list->setObjectName(QStringLiteral("guidePages"));
  m_list->setAccessibleName(tr("Pages of the guide"));
  m_list->setFrameShape(QFrame::NoFrame);
  for (const GuidePage& page : m_pages) m_list->addItem(page.title);
  auto* split = new QSplitter(Qt::Horizontal);
  split->addWidget(m_list);
  split->addWidget(m_browser);
  split->setStretchFactor(1, 1);
  split->setSizes({kListWidth, kGuideSize.width() - kListWidth});
  split->setChildrenCollapsible(false);
  auto* layout = column(this, 0);
  layout->addWidget(makeTop());
  layout->addWidget(separator());
  layout->addWidget(m_notice);
  layout->addWidget(split, 1);
  addKeys();
  for (QTimer* one : {&m_marking, &m_finding}) one->setSingleShot(true);
  connect(&m_finding, &QTimer::timeout, this, [this] { m_browser->findWords(m_search->text(), m_way); });
  connect(&m_marking, &QTimer::timeout, this, &GuideWindow::markFound);
  connect(m_list, &QListWidget::currentRowChanged, this, [this](int row) {
    if (row >= 0 && m_pages[row].file != m_browser->file()) m_browser->go(m_pages[row].file);
  });
  connect(m_browser, &QTextBrowser::anchorClicked, this, &GuideWindow::follow);
  connect(m_browser, &GuideBrowser::shown, this, &GuideWindow::takePage);
  connect(&Theme::instance(), &Theme::changed, m_browser, &GuideBrowser::dressAgain);
}

QWidget* GuideWindow::makeTop() {
  auto* bar = surface();
  auto* back = iconButton(QStringLiteral("chevron-left"), tr("Back (Alt+Left)"), QStringLiteral("guideBack"));
  auto* forward =
      iconButton(QStringLiteral("chevron-right"), tr("Forward (Alt+Right)"), QStringLiteral("guideForward"));
  for (QToolButton* one : {back, forward}) one->setEnabled(false);
  connect(back, &QToolButton::clicked, m_browser, &GuideBrowser::goBack);
  connect(forward, &QToolButton::clicked, m_browser, &GuideBrowser::goForward);
  connect(m_browser, &GuideBrowser::historyChanged, this, [back, forward](bool before, bool after) {
    back->setEnabled(before);
    forward->setEnabled(after);
  });
  m_nothing = secondaryLabel(tr("Nothing in the guide says that."));
  m_nothing->setObjectName(QStringLiteral("guideNothing"));
  m_nothing->hide();
  m_search = searchField(tr("Find in the guide"), QStringLiteral("guideSearch"));
  m_search->setMaximumWidth(280);
  leaveByEscape(m_search, [this] { m_browser->setFocus(); });
  connect(m_search, &QLineEdit::textChanged, this, &GuideWindow::search);
  auto* layout = row(bar, 4);
  layout->setContentsMargins(8, 8, 12, 8);
  layout->addWidget(back);
  layout->addWidget(forward);
  layout->addStretch(1);
  layout->addWidget(m_nothing);
  layout->addWidget(m_search, 1);
  return bar;
}

void GuideWindow::addKeys() {
  const auto add = [this](const QKeySequence& keys, auto call) {
    connect(new QShortcut(keys, this), &QShortcut::activated, this, call);
  };
  const auto toSearch = [this] {
    m_search->setFocus();
    m_search->selectAll();
  };
  add(QKeySequence::Find, toSearch);
  add(QKeySequence(Qt::Key_Slash), toSearch);
  add(QKeySequence(Qt::Key_F3), [this] { find(true); });
  add(QKeySequence(Qt::SHIFT | Qt::Key_F3), [this] { find(false); });
  add(QKeySequence(Qt::ALT | Qt::Key_Left), [this] { m_browser->goBack(); });
  add(QKeySequence(Qt::ALT | Qt::Key_Right), [this] { m_browser->goForward(); });
  add(QKeySequence(Qt::CTRL | Qt::Key_W), [this] { close(); });
}

// Enter in the search goes on, with Shift back.
void GuideWindow::keyPressEvent(QKeyEvent* event) {
  const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  if (enter && m_search->hasFocus()) return find(!(event->modifiers() & Qt::ShiftModifier));
  if (event->key() == Qt::Key_Escape) {
    close();
    return;
  }
  QWidget::keyPressEvent(event);
}

void GuideWindow::open() {
  if (m_browser->file().isEmpty()) m_browser->go(m_pages.front().file);
  QWidget::show();
  raise();
  activateWindow();
  m_browser->setFocus();
}

void GuideWindow::follow(const QUrl& link) {
  if (!link.scheme().isEmpty()) return emit linkRequested(link);
  const QString file = link.path().isEmpty()
                           ? m_browser->file()
                           : QDir::cleanPath(QFileInfo(m_browser->file()).path() + QLatin1Char('/') + link.path());
  m_browser->go(file, link.fragment());
}

// A page that only others lead to has no row of its own.
void GuideWindow::takePage() {
  const auto page = std::ranges::find(m_pages, m_browser->file(), &GuidePage::file);
  const QSignalBlocker quiet(m_list);
  m_list->setCurrentRow(page == m_pages.end() ? -1 : static_cast<int>(page - m_pages.begin()));
  m_marking.start(0);
}

void GuideWindow::search() {
  QTextCursor from = m_browser->textCursor();
  from.setPosition(from.selectionStart());  // more letters of the same word stay where they are
  m_browser->setTextCursor(from);
  m_nothing->hide();
  m_marking.start(0);
  if (!m_search->text().isEmpty()) find(true);
}

void GuideWindow::find(bool forward) {
  const QString words = m_search->text();
  m_finding.stop();
  m_way = forward ? QTextDocument::FindFlags() : QTextDocument::FindBackward;
  if (words.isEmpty() || m_browser->findWords(words, m_way)) return m_nothing->hide();
  const int page = pageWith(words, forward);
  m_nothing->setVisible(page < 0);
  if (page < 0) return;
  if (m_pages[page].file != m_browser->file()) m_browser->go(m_pages[page].file);
  m_browser->moveCursor(forward ? QTextCursor::Start : QTextCursor::End);
  m_finding.start(0);
}

// The next one that says it; at last this one again, from its other end. -1: none does.
int GuideWindow::pageWith(const QString& words, bool forward) {
  if (m_words.isEmpty())
    for (const GuidePage& page : m_pages) m_words << guideWords(page.file);
  const int count = static_cast<int>(m_pages.size()), here = std::max(0, m_list->currentRow());
  for (int step = 1; step <= count; ++step) {
    const int page = (here + (forward ? step : count - step)) % count;
    if (m_words[page].contains(words, Qt::CaseInsensitive)) return page;
  }
  return -1;
}

void GuideWindow::markFound() {
  QList<QTextEdit::ExtraSelection> marks;
  const QString words = m_search->text();
  QTextCharFormat colour;
  colour.setBackground(mixed(Theme::tokens().surface, Theme::tokens().warn, 0.3));
  QTextCursor at(m_browser->document());
  while (!words.isEmpty() && marks.size() < kMostMarks) {
    at = m_browser->document()->find(words, at);
    if (at.isNull()) break;
    marks.push_back({at, colour});
  }
  m_browser->setExtraSelections(marks);
}

}  // namespace roadtune::widgets
