// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/data_tokens.h"

#include "core/model/pali_config.h"
#include "core/text/prompt.h"
#include "widgets/common/told_words.h"
#include "widgets/panels/data/data_page.h"
#include "widgets/panels/data/quality_panel.h"
#include "widgets/panels/data/sample_view.h"

#include <filesystem>

namespace roadtune::studio {
namespace {

using widgets::ModelToken;
using widgets::ModelTokens;

// Equal picture tokens in a row are told once.
void append(QList<ModelToken>& tokens, const ModelToken& next) {
  if (!tokens.isEmpty() && next.part == ModelToken::Part::Picture && tokens.last().id == next.id)
    ++tokens.last().times;
  else
    tokens << next;
}

}  // namespace

DataTokens::DataTokens(widgets::DataPage* page, QObject* parent) : QObject(parent), m_page(page) {
  connect(page->sample(), &widgets::SampleView::tokensWanted, this, &DataTokens::read);
}

void DataTokens::setModel(const QString& folder) {
  if (folder == m_model) return;
  m_model = folder;
  m_background.run(
      this,
      [folder] {
        std::error_code error;
        return std::filesystem::is_directory(folder.toStdString(), error);
      },
      [this, folder](bool there) {
        if (there && folder == m_model) m_page->qualityPanel()->setModel(folder);
      });
  m_page->sample()->askTokens();
}

void DataTokens::read(const QString& prompt, const QString& target, int side) {
  ModelTokens wanted{.prompt = prompt, .target = target, .side = side};
  m_background.run(
      this,
      [loaded = m_loaded, folder = m_model, wanted = std::move(wanted)] { return tokensOf(*loaded, folder, wanted); },
      [this, ticket = ++m_ticket](const ModelTokens& tokens) {
        if (ticket == m_ticket) m_page->sample()->setTokens(tokens);
      });
}

ModelTokens DataTokens::tokensOf(Loaded& loaded, const QString& folder, ModelTokens wanted) {
  std::error_code error;
  if (!std::filesystem::is_directory(folder.toStdString(), error)) {
    wanted.failure = tr("Choose a model on the Train page to see its tokens.");
    return wanted;
  }
  if (loaded.folder != folder) {
    auto tokenizer = text::Tokenizer::load(folder.toStdString());
    loaded = {folder, tokenizer.ok() ? std::make_shared<text::Tokenizer>(tokenizer.value()) : nullptr,
              tokenizer.ok() ? QString() : widgets::errorText(tokenizer.error())};
  }
  wanted.failure = loaded.failure;
  if (!loaded.tokenizer) return wanted;
  const text::Tokenizer& tokenizer = *loaded.tokenizer;
  const std::string prompt = wanted.prompt.toStdString(), target = wanted.target.toStdString();
  const auto encoded = text::encodePrompt(tokenizer, prompt, std::string_view(target),
                                          {.imageTokens = model::imageTokensAt(wanted.side)});
  if (!encoded.ok()) {
    wanted.failure = widgets::errorText(encoded.error());
    return wanted;
  }
  const text::EncodedPrompt& all = encoded.value();
  for (std::size_t i = 0; i < all.inputIds.size(); ++i) {
    const bool answer = all.labels[i] != text::kIgnoredLabel;
    const bool picture = all.inputIds[i] == tokenizer.special().image;
    append(wanted.tokens, {.piece = QString::fromStdString(tokenizer.pieceOf(all.inputIds[i])),
                           .id = all.inputIds[i],
                           .part = answer    ? ModelToken::Part::Answer
                                   : picture ? ModelToken::Part::Picture
                                             : ModelToken::Part::Prompt});
  }
  return wanted;
}

}  // namespace roadtune::studio
