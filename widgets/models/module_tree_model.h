// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "core/model/module_tree.h"

#include <QAbstractItemModel>
#include <QList>
#include <QPair>
#include <QStringList>

#include <memory>
#include <vector>

namespace roadtune::widgets {

// What is done to a module and everything below it.
enum class TrainMode { Frozen, Full, Lora, Mixed };

// The modules of a model as a tree with what of each is trained. Blocks of a tower are grouped; chains of single
// children are one row.
class ModuleTreeModel : public QAbstractItemModel {
  Q_OBJECT
 public:
  enum Column { NameColumn, StateColumn, TrainableColumn, AllColumn, ColumnCount };
  enum Role { PathRole = Qt::UserRole + 1, ModeRole };

  explicit ModuleTreeModel(QObject* parent = nullptr);
  ~ModuleTreeModel() override;
  // The same structure keeps its rows (and what is expanded); only states and counts change.
  void setTree(std::shared_ptr<const model::ModuleTree> tree);
  const std::shared_ptr<const model::ModuleTree>& tree() const { return m_tree; }
  QModelIndex find(const QString& path) const;

  // The topmost nodes in whose path `pattern` (a regular expression) is found. An empty pattern finds nothing.
  struct Matches {
    QStringList paths;
    int modules = 0;                      // with tensors, at and below those nodes
    QList<QPair<QString, int>> towers{};  // how many of them are where: "vision tower", 9
    QString error;                        // of the pattern
  };
  Matches matching(const QString& pattern) const;

  // What a click makes of it: frozen -> full -> lora, in a run in four bits -> qlora, -> frozen.
  QString nextMethod(const QModelIndex& index) const;

  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  QModelIndex parent(const QModelIndex& child) const override;
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  struct Node;
  static std::unique_ptr<Node> build(const model::ModuleTree& tree);
  static void sum(Node& node, const model::ModuleTree& tree);
  static bool sameShape(const Node& a, const Node& b);
  static void takeStates(Node& to, const Node& from);
  static int moduleCount(const Node& node);
  const Node* nodeOf(const QModelIndex& index) const;
  std::shared_ptr<const model::ModuleTree> m_tree;
  std::unique_ptr<Node> m_root;
};

QString modeWord(TrainMode mode);

}  // namespace roadtune::widgets
