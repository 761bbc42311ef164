// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/studio/background.h"
#include "core/text/tokenizer.h"
#include "widgets/panels/data/model_tokens.h"

#include <QObject>

#include <memory>

namespace roadtune::widgets {
class DataPage;
}

namespace roadtune::studio {

// Tokens of what a model is asked and taught with an image, by the tokenizer of the model on the Train page.
class DataTokens : public QObject {
  Q_OBJECT
 public:
  explicit DataTokens(widgets::DataPage* page, QObject* parent = nullptr);
  void setModel(const QString& folder);

 private:
  void read(const QString& prompt, const QString& target, int side);
  // Read once; touched on the thread that reads only.
  struct Loaded {
    QString folder;
    std::shared_ptr<const text::Tokenizer> tokenizer;
    QString failure;
  };
  static widgets::ModelTokens tokensOf(Loaded& loaded, const QString& folder, widgets::ModelTokens wanted);

  widgets::DataPage* m_page;
  QString m_model;
  std::shared_ptr<Loaded> m_loaded = std::make_shared<Loaded>();
  std::uint64_t m_ticket = 0;
  Background m_background{"tokens"};
};

}  // namespace roadtune::studio
