// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/models/module_tree_model.h"

#include "widgets/common/number_text.h"
#include "widgets/common/theme.h"

#include <QLocale>
#include <QRegularExpression>
#include <QStringList>

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace roadtune::widgets {

// What is so of everything at and below a node.
struct ModuleSums {
  std::int64_t trainable = 0, all = 0;
  bool anyFrozen = false, anyFull = false, anyLora = false, nf4 = false;
  std::set<int> ranks;
  std::set<double> alphas, dropouts, rates;  // of adapters; rates as a line of `modules:` gives them
  std::set<model::Dtype> types;              // of what is kept in memory as it is computed with
  std::set<model::Dtype> ownTypes;           // that lines of `modules:` give

  void add(const ModuleSums& other) {
    trainable += other.trainable;
    all += other.all;
    anyFrozen |= other.anyFrozen;
    anyFull |= other.anyFull;
    anyLora |= other.anyLora;
    nf4 |= other.nf4;
    ranks.insert(other.ranks.begin(), other.ranks.end());
    alphas.insert(other.alphas.begin(), other.alphas.end());
    dropouts.insert(other.dropouts.begin(), other.dropouts.end());
    rates.insert(other.rates.begin(), other.rates.end());
    types.insert(other.types.begin(), other.types.end());
    ownTypes.insert(other.ownTypes.begin(), other.ownTypes.end());
  }

  void add(const model::Tensor& tensor, std::optional<model::Dtype> own) {
    const bool base = tensor.role == model::TensorRole::Base;
    all += tensor.elements();
    if (tensor.trainable) trainable += tensor.elements();
    if (base) (tensor.trainable ? anyFull : anyFrozen) = true;
    anyLora |= !base;
    nf4 |= tensor.nf4;
    if (!tensor.nf4) types.insert(base && !tensor.trainable ? own.value_or(tensor.dtype) : tensor.dtype);
  }

  void add(const model::Module& module) {
    if (module.dtype) ownTypes.insert(*module.dtype);
    if (module.learningRate && (anyFull || anyLora)) rates.insert(*module.learningRate);
    if (!module.lora) return;
    ranks.insert(module.lora->r);
    alphas.insert(module.lora->alpha);
    dropouts.insert(module.lora->dropout);
  }

  TrainMode mode() const {
    if (anyLora && !anyFull)
      return TrainMode::Lora;  // LoRA leaves norms and embeddings frozen: that is LoRA all the same
    if (anyFull && !anyFrozen && !anyLora) return TrainMode::Full;
    return anyFull || anyLora ? TrainMode::Mixed : TrainMode::Frozen;
  }
};

namespace {

// "8", or "8 to 64" where they differ.
QString rangeText(const std::set<double>& values) {
  const QLocale locale = QLocale::c();
  const QString low = locale.toString(*values.begin(), 'g', 6), high = locale.toString(*values.rbegin(), 'g', 6);
  return values.size() == 1 ? low : ModuleTreeModel::tr("%1 to %2").arg(low, high);
}

// The word of the second column: "QLoRA r8 · 1e-05", "frozen 4-bit".
QString stateText(const ModuleSums& sums) {
  const bool adapters = sums.mode() == TrainMode::Lora;
  QString text = adapters && sums.nf4 ? QStringLiteral("QLoRA") : modeWord(sums.mode());
  if (adapters && !sums.ranks.empty()) text += QStringLiteral(" r%1").arg(*sums.ranks.rbegin());
  if (!adapters && sums.nf4) text = ModuleTreeModel::tr("%1 4-bit").arg(text);
  if (sums.ownTypes.size() == 1)
    text += *sums.ownTypes.begin() == model::Dtype::F32 ? QStringLiteral(" · fp32") : QStringLiteral(" · bf16");
  if (!sums.rates.empty()) text += QStringLiteral(" · ") + rangeText(sums.rates);
  return text;
}

// Everything that was chosen for it, a line each.
QString stateTip(const ModuleSums& sums, const QString& path, bool fourBit) {
  QStringList lines{path};
  if (!sums.ranks.empty()) {
    lines << ModuleTreeModel::tr("Rank %1").arg(rangeText({sums.ranks.begin(), sums.ranks.end()}))
          << ModuleTreeModel::tr("Alpha %1").arg(rangeText(sums.alphas))
          << ModuleTreeModel::tr("Dropout %1").arg(rangeText(sums.dropouts));
  }
  if (!sums.rates.empty()) lines << ModuleTreeModel::tr("Learning rate %1").arg(rangeText(sums.rates));
  const auto named = [](const std::set<model::Dtype>& types) {
    QStringList names;
    for (const model::Dtype type : types) names << QString::fromUtf8(model::torchName(type));
    return names;
  };
  QStringList types = named(sums.types);
  if (sums.nf4) types << QStringLiteral("NF4");
  if (!sums.ownTypes.empty())
    lines << ModuleTreeModel::tr("Computed in %1").arg(named(sums.ownTypes).join(QStringLiteral(", ")));
  lines << ModuleTreeModel::tr("Kept as %1").arg(types.join(QStringLiteral(", ")))
        << (fourBit ? ModuleTreeModel::tr("Click to change: frozen, full, LoRA, LoRA in 4 bits")
                    : ModuleTreeModel::tr("Click to change: frozen, full, LoRA"));
  return lines.join(QLatin1Char('\n'));
}

}  // namespace

struct ModuleTreeModel::Node {
  QString label, path;
  Node* parent = nullptr;
  int row = 0;
  std::vector<std::unique_ptr<Node>> children;
  std::vector<std::size_t> modules;  // that end here
  ModuleSums sums;
};

QString modeWord(TrainMode mode) {
  switch (mode) {
    case TrainMode::Frozen: return ModuleTreeModel::tr("frozen");
    case TrainMode::Full: return ModuleTreeModel::tr("full");
    case TrainMode::Lora: return ModuleTreeModel::tr("LoRA");
    case TrainMode::Mixed: return ModuleTreeModel::tr("mixed");
  }
  return {};
}

namespace {

QString labelOf(const QString& word, const QString& parentPath) {
  if (word == QLatin1String("vision_tower")) return ModuleTreeModel::tr("Vision tower");
  if (word == QLatin1String("multi_modal_projector")) return ModuleTreeModel::tr("Projector");
  if (word == QLatin1String("language_model")) return ModuleTreeModel::tr("Language model");
  bool number = false;
  word.toInt(&number);
  if (number && parentPath.endsWith(QLatin1String("layers"))) return ModuleTreeModel::tr("Block %1").arg(word);
  return word;
}

// As within a sentence.
QString towerOf(const QString& path) {
  if (path.contains(QLatin1String("vision_tower"))) return ModuleTreeModel::tr("vision tower");
  if (path.contains(QLatin1String("multi_modal_projector"))) return ModuleTreeModel::tr("projector");
  if (path.contains(QLatin1String("language_model"))) return ModuleTreeModel::tr("language model");
  return path;
}

}  // namespace

ModuleTreeModel::ModuleTreeModel(QObject* parent) : QAbstractItemModel(parent), m_root(std::make_unique<Node>()) {}
ModuleTreeModel::~ModuleTreeModel() = default;

std::unique_ptr<ModuleTreeModel::Node> ModuleTreeModel::build(const model::ModuleTree& tree) {
  auto root = std::make_unique<Node>();
  std::map<QString, Node*> byPath{{QString(), root.get()}};
  std::vector<bool> owns(tree.modules.size(), false);  // a tied head has no tensor of its own
  for (const model::Tensor& tensor : tree.tensors) owns[tensor.module] = true;
  for (std::size_t i = 0; i < tree.modules.size(); ++i) {
    if (!owns[i]) continue;
    const QStringList words = QString::fromStdString(tree.modules[i].path).split(QLatin1Char('.'));
    Node* at = root.get();
    QString path;
    for (const QString& word : words) {
      const QString parentPath = path;
      path = path.isEmpty() ? word : path + QLatin1Char('.') + word;
      Node*& known = byPath[path];
      if (!known) {
        auto child = std::make_unique<Node>();
        child->label = labelOf(word, parentPath);
        child->path = path;
        child->parent = at;
        child->row = static_cast<int>(at->children.size());
        known = child.get();
        at->children.push_back(std::move(child));
      }
      at = known;
    }
    at->modules.push_back(i);
  }
  // "model" holds everything: its children are the top. A lone child joins its parent.
  while (root->children.size() == 1 && !root->children[0]->children.empty()) {
    auto only = std::move(root->children[0]);
    root->children = std::move(only->children);
    for (auto& child : root->children) child->parent = root.get();
  }
  sum(*root, tree);
  return root;
}

void ModuleTreeModel::sum(Node& node, const model::ModuleTree& tree) {
  // Single children fold into their parent, whose name is the one people know.
  while (node.parent && node.modules.empty() && node.children.size() == 1 && !node.children[0]->children.empty()) {
    auto only = std::move(node.children[0]);
    node.children = std::move(only->children);
    for (auto& child : node.children) child->parent = &node;
  }
  for (std::size_t r = 0; r < node.children.size(); ++r) {
    Node& child = *node.children[r];
    child.row = static_cast<int>(r);
    sum(child, tree);
    node.sums.add(child.sums);
  }
  if (node.modules.empty()) return;
  for (const model::Tensor& tensor : tree.tensors)
    if (tensor.module == node.modules[0]) node.sums.add(tensor, tree.moduleOf(tensor).dtype);
  node.sums.add(tree.modules[node.modules[0]]);
}

bool ModuleTreeModel::sameShape(const Node& a, const Node& b) {
  if (a.path != b.path || a.children.size() != b.children.size()) return false;
  for (std::size_t i = 0; i < a.children.size(); ++i) {
    if (!sameShape(*a.children[i], *b.children[i])) return false;
  }
  return true;
}

void ModuleTreeModel::takeStates(Node& to, const Node& from) {
  to.sums = from.sums;
  for (std::size_t i = 0; i < to.children.size(); ++i) takeStates(*to.children[i], *from.children[i]);
}

void ModuleTreeModel::setTree(std::shared_ptr<const model::ModuleTree> tree) {
  auto next = tree ? build(*tree) : std::make_unique<Node>();
  m_tree = std::move(tree);
  if (sameShape(*m_root, *next)) {
    takeStates(*m_root, *next);
    std::vector<const Node*> open{m_root.get()};
    while (!open.empty()) {
      const Node* node = open.back();
      open.pop_back();
      if (node->children.empty()) continue;
      const Node& first = *node->children.front();
      const Node& last = *node->children.back();
      emit dataChanged(createIndex(first.row, 0, &first), createIndex(last.row, ColumnCount - 1, &last));
      for (const auto& child : node->children) open.push_back(child.get());
    }
    return;
  }
  beginResetModel();
  m_root = std::move(next);
  endResetModel();
}

const ModuleTreeModel::Node* ModuleTreeModel::nodeOf(const QModelIndex& index) const {
  return index.isValid() ? static_cast<const Node*>(index.constInternalPointer()) : m_root.get();
}

QModelIndex ModuleTreeModel::find(const QString& path) const {
  std::vector<const Node*> open{m_root.get()};
  while (!open.empty()) {
    const Node* node = open.back();
    open.pop_back();
    if (node != m_root.get() && node->path == path) return createIndex(node->row, 0, node);
    for (const auto& child : node->children) open.push_back(child.get());
  }
  return {};
}

int ModuleTreeModel::moduleCount(const Node& node) {
  int count = static_cast<int>(node.modules.size());
  for (const auto& child : node.children) count += moduleCount(*child);
  return count;
}

ModuleTreeModel::Matches ModuleTreeModel::matching(const QString& pattern) const {
  Matches found;
  if (pattern.isEmpty()) return found;
  const QRegularExpression wanted(pattern);
  if (!wanted.isValid()) {
    found.error = wanted.errorString();
    return found;
  }
  std::vector<const Node*> open{m_root.get()};
  while (!open.empty()) {
    const Node* node = open.back();
    open.pop_back();
    if (node != m_root.get() && wanted.match(node->path).hasMatch()) {
      const int count = moduleCount(*node);
      found.paths.prepend(node->path);
      found.modules += count;
      const QString tower = towerOf(node->path);
      const auto same = [&](const auto& one) { return one.first == tower; };
      const auto known = std::find_if(found.towers.begin(), found.towers.end(), same);
      if (known == found.towers.end())
        found.towers.prepend({tower, count});
      else
        known->second += count;
      continue;
    }
    for (const auto& child : node->children) open.push_back(child.get());
  }
  return found;
}

QString ModuleTreeModel::nextMethod(const QModelIndex& index) const {
  const ModuleSums& sums = nodeOf(index)->sums;
  const bool fourBit = m_tree && m_tree->method.load4bit;
  switch (sums.mode()) {
    case TrainMode::Frozen: return QStringLiteral("full");
    case TrainMode::Full: return QStringLiteral("lora");
    case TrainMode::Lora: return fourBit && !sums.nf4 ? QStringLiteral("qlora") : QStringLiteral("frozen");
    case TrainMode::Mixed: return QStringLiteral("frozen");
  }
  return {};
}

QModelIndex ModuleTreeModel::index(int row, int column, const QModelIndex& parent) const {
  const Node* node = nodeOf(parent);
  if (parent.isValid() && parent.column() != 0) return {};
  if (row < 0 || row >= static_cast<int>(node->children.size()) || column < 0 || column >= ColumnCount) return {};
  return createIndex(row, column, node->children[static_cast<std::size_t>(row)].get());
}

QModelIndex ModuleTreeModel::parent(const QModelIndex& child) const {
  if (!child.isValid()) return {};
  const Node* node = nodeOf(child)->parent;
  return !node || node == m_root.get() ? QModelIndex() : createIndex(node->row, 0, node);
}

int ModuleTreeModel::rowCount(const QModelIndex& parent) const {
  if (parent.isValid() && parent.column() != 0) return 0;
  return static_cast<int>(nodeOf(parent)->children.size());
}

int ModuleTreeModel::columnCount(const QModelIndex&) const { return ColumnCount; }

QVariant ModuleTreeModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const Node& node = *nodeOf(index);
  const Tokens& t = Theme::tokens();
  switch (role) {
    case Qt::DisplayRole:
      switch (index.column()) {
        case NameColumn: return node.label;
        case StateColumn: return stateText(node.sums);
        case TrainableColumn: return node.sums.trainable > 0 ? countText(node.sums.trainable) : QString();
        default: return countText(node.sums.all);
      }
    case Qt::ForegroundRole:
      if (index.column() == StateColumn) return node.sums.mode() == TrainMode::Frozen ? t.secondary : t.accent;
      if (index.column() == AllColumn) return t.secondary;
      return {};
    case Qt::TextAlignmentRole:
      return int((index.column() >= TrainableColumn ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case Qt::ToolTipRole:
      return index.column() == StateColumn ? stateTip(node.sums, node.path, m_tree && m_tree->method.load4bit)
                                           : node.path;
    case PathRole: return node.path;
    case ModeRole: return static_cast<int>(node.sums.mode());
    default: return {};
  }
}

QVariant ModuleTreeModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole)
    return int((section >= TrainableColumn ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  if (role != Qt::DisplayRole) return {};
  static const std::array kTitles = {QT_TR_NOOP("Module"), QT_TR_NOOP("Training"), QT_TR_NOOP("Trained"),
                                     QT_TR_NOOP("Parameters")};
  return tr(kTitles[static_cast<std::size_t>(section)]);
}

}  // namespace roadtune::widgets
