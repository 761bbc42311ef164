// SPDX-License-Identifier: GPL-3.0-or-later
// What a model sees of the image: the part of SampleView below the picture.
#include "widgets/canvas/image_view.h"
#include "widgets/common/controls.h"
#include "widgets/common/elided_label.h"
#include "widgets/common/theme.h"
#include "widgets/panels/data/model_text.h"
#include "widgets/panels/data/sample_view.h"
#include "widgets/panels/data/token_view.h"

#include <QActionGroup>
#include <QClipboard>
#include <QGridLayout>
#include <QGuiApplication>
#include <QLabel>
#include <QMenu>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

namespace roadtune::widgets {
namespace {
constexpr int kTokenHeight = 110;  // three lines of them
}

QToolButton* SampleView::makeModelSides() {
  auto* button = iconButton(QStringLiteral("eye"), tr("What the model sees (M)"), QStringLiteral("sampleModelView"));
  auto* menu = new QMenu(button);
  auto* group = new QActionGroup(menu);
  for (const int side : {0, 224, 448, 896}) {
    QAction* action = menu->addAction(
        side == 0 ? tr("The picture itself") : tr("As a model sees it at %1 px").arg(side), this, [this, side] {
          m_view->setModelSide(side, kLeastModelSide);
          refreshModelText();
        });
    action->setObjectName(QStringLiteral("modelSide%1").arg(side));
    action->setCheckable(true);
    action->setChecked(side == 0);
    group->addAction(action);
  }
  button->setMenu(menu);
  makeModelStrip();
  return button;
}

// Facts, the words, then the tokens that they become.
void SampleView::makeModelStrip() {
  m_modelStrip = surface(QStringLiteral("modelStrip"));
  m_modelFacts = secondaryLabel({});
  m_modelFacts->setObjectName(QStringLiteral("modelFacts"));
  m_promptText = new QLabel;
  m_promptText->setObjectName(QStringLiteral("modelPrompt"));
  m_promptText->setFont(codeFont());
  m_promptText->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_targetText = new ElidedLabel;
  m_targetText->setObjectName(QStringLiteral("modelTarget"));
  m_targetText->setFont(codeFont());
  m_tokenNote = secondaryLabel({});
  m_tokenNote->setObjectName(QStringLiteral("modelTokenNote"));
  m_tokens = new TokenView;
  m_tokens->setObjectName(QStringLiteral("modelTokens"));
  m_tokens->setAccessibleName(tr("Tokens of the prompt and the answer"));
  m_tokenScroll = new QScrollArea;
  m_tokenScroll->setFrameShape(QFrame::NoFrame);
  m_tokenScroll->setWidgetResizable(true);
  m_tokenScroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_tokenScroll->setWidget(m_tokens);
  m_tokenScroll->setFixedHeight(kTokenHeight);
  m_copyTokens =
      iconButton(QStringLiteral("copy"), tr("Copy the tokens and their numbers"), QStringLiteral("copyTokens"));
  auto* head = row(nullptr, 8);
  head->addWidget(m_modelFacts, 1);
  head->addWidget(m_copyTokens);
  auto* layout = column(m_modelStrip, 4);
  layout->setContentsMargins(12, 4, 8, 8);
  layout->addLayout(head);
  auto* words = new QGridLayout;
  words->setHorizontalSpacing(12);
  words->setVerticalSpacing(2);
  words->setColumnStretch(1, 1);
  words->addWidget(secondaryLabel(tr("Asked")), 0, 0);
  words->addWidget(m_promptText, 0, 1);
  words->addWidget(secondaryLabel(tr("Taught")), 1, 0);
  words->addWidget(m_targetText, 1, 1);
  layout->addLayout(words);
  layout->addWidget(m_tokenScroll);
  layout->addWidget(m_tokenNote);
  connect(m_copyTokens, &QToolButton::clicked, this,
          [this] { QGuiApplication::clipboard()->setText(m_tokens->text()); });
  m_modelStrip->hide();
}

void SampleView::refreshModelText() {
  const int side = m_view->modelSide();
  m_modelStrip->setVisible(side > 0 && m_image.has_value());
  if (side == 0 || !m_image || !m_index) return;
  const ModelText text = modelTextOf(*m_index, *m_image, side);
  m_prompt = text.prompt;
  m_target = text.target;
  m_promptText->setText(m_prompt);
  m_targetText->setText(m_target.isEmpty() ? tr("nothing: the answer is empty") : m_target);
  m_modelFacts->setText(tr("%1 × %1 px  ·  %2 of %3 boxes are at least %4 px on their shorter side; the others "
                           "are drawn dotted  ·  %5 location tokens")
                            .arg(side)
                            .arg(text.survive)
                            .arg(text.boxes)
                            .arg(kLeastModelSide)
                            .arg(text.locTokens));
  askTokens();
}

void SampleView::askTokens() {
  if (m_modelStrip->isVisibleTo(this)) emit tokensWanted(m_prompt, m_target, m_view->modelSide());
}

void SampleView::setTokens(const ModelTokens& tokens) {
  if (tokens.prompt != m_prompt || tokens.target != m_target || tokens.side != m_view->modelSide()) return;
  const bool known = !tokens.tokens.isEmpty();
  m_tokens->setTokens(tokens.tokens);
  m_tokenScroll->setVisible(known);
  m_copyTokens->setVisible(known);
  m_tokenNote->setText(known ? tr("%1 tokens; those that are taught are coloured").arg(tokens.count())
                             : tokens.failure);
}

}  // namespace roadtune::widgets
