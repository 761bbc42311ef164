// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/query/parser.h"

#include "core/base/text.h"
#include "core/data/query/operand.h"
#include "core/data/query/term_names.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace roadtune::data {

namespace {

using Node = std::shared_ptr<const QueryNode>;
using Boxes = std::shared_ptr<const BoxExpr>;

constexpr int kDeepest = 200;  // nested parentheses

// Recursive descent. A function that fails answers null after it set the error once.
class Parser {
 public:
  Parser(std::vector<Token> tokens, QueryError& error) : m_tokens(std::move(tokens)), m_error(error) {}

  std::shared_ptr<const QueryPlan> run() {
    auto plan = std::make_shared<QueryPlan>();
    if (at().kind == Token::Kind::End || at().is("sort") || at().is("limit"))
      plan->where = std::make_shared<QueryNode>();
    else
      plan->where = orExpr();
    if (!plan->where || !sortClause(*plan) || !limitClause(*plan)) return nullptr;
    if (at().kind == Token::Kind::Close) return fail(at(), "this parenthesis closes nothing", "remove it"), nullptr;
    if (at().is("sort") || at().is("limit"))
      return fail(at(), "'" + at().text + "' stands once, sort by before limit, and both at the end"), nullptr;
    if (at().kind != Token::Kind::End)
      return fail(at(), "'" + at().text + "' is not expected here", "and, or, sort by, limit"), nullptr;
    return plan;
  }

 private:
  const Token& at() const { return m_tokens[m_at]; }
  const Token& ahead() const { return m_tokens[std::min(m_at + 1, m_tokens.size() - 1)]; }
  const Token& take() { return m_tokens[m_at + 1 < m_tokens.size() ? m_at++ : m_at]; }

  bool fail(const Token& token, std::string message, std::string suggestion = {}) {
    if (!m_failed)
      m_error = {token.column, std::max<std::size_t>(1, token.length), std::move(message), std::move(suggestion)};
    m_failed = true;
    return false;
  }

  bool expect(Token::Kind kind, const char* what) {
    if (at().kind != kind) return fail(at(), std::string("'") + what + "' is missing here", what);
    take();
    return true;
  }

  template <class Expr, class Next>
  std::shared_ptr<const Expr> chain(std::string_view word, typename Expr::Kind kind, Next next) {
    std::shared_ptr<const Expr> first = next();
    if (!first || !at().is(word)) return first;
    auto node = std::make_shared<Expr>();
    node->kind = kind;
    node->children.push_back(first);
    while (at().is(word)) {
      take();
      auto child = next();
      if (!child) return nullptr;
      node->children.push_back(std::move(child));
    }
    return node;
  }

  Node orExpr() {
    if (++m_depth > kDeepest) return fail(at(), "parentheses are nested too deeply"), nullptr;
    Node node = chain<QueryNode>("or", QueryNode::Kind::Or, [this] { return andExpr(); });
    --m_depth;
    return node;
  }
  Node andExpr() {
    return chain<QueryNode>("and", QueryNode::Kind::And, [this] { return unary(); });
  }

  Node unary() {
    bool negate = false;
    while (at().is("not")) {
      take();
      negate = !negate;
    }
    Node node = primary();
    return negate && node ? negated(node) : node;
  }

  static Node negated(Node node) {
    auto result = std::make_shared<QueryNode>();
    result->kind = QueryNode::Kind::Not;
    result->children.push_back(std::move(node));
    return result;
  }

  Node primary() {
    if (at().kind == Token::Kind::Open) {
      take();
      Node node = orExpr();
      return node && expect(Token::Kind::Close, ")") ? node : nullptr;
    }
    if (at().kind != Token::Kind::Word) return fail(at(), "a condition is expected here", "split=training"), nullptr;
    const Token word = at();
    if (word.is("tag") && ahead().kind == Token::Kind::Colon) return tagCondition();
    if (word.is("loss")) return lossCondition();
    if (ahead().kind == Token::Kind::Open) return termCondition();
    return fieldCondition();
  }

  Node tagCondition() {
    const Token word = take();
    take();
    if (at().kind != Token::Kind::Word && at().kind != Token::Kind::Text)
      return fail(at(), "the name of a tag is expected here", "tag:reviewed"), nullptr;
    auto node = std::make_shared<QueryNode>();
    node->kind = QueryNode::Kind::Image;
    node->field = ImageField::Tag;
    node->values.push_back(operandOf(take()));
    return finish(node, word);
  }

  Node fieldCondition() {
    const Token word = take();
    const auto* field = fieldNamed(imageFields(), word.lowered);
    if (!field) return unknownField(word), nullptr;
    auto node = std::make_shared<QueryNode>();
    node->kind = QueryNode::Kind::Image;
    node->field = field->field;
    const bool canStandAlone = field->field == ImageField::Labelled || field->field == ImageField::Note;
    if (canStandAlone && at().kind != Token::Kind::Compare && !at().is("in") && !at().is("not")) {
      if (field->field == ImageField::Labelled) node->values.push_back({.text = "true"});
      return finish(node, word);
    }
    return compared(*field, node, word);
  }

  template <class F>
  Node compared(const FieldName<F>& field, const std::shared_ptr<QueryNode>& node, const Token& first) {
    bool negate = false;
    if (!comparison(field, node->compare, node->values, negate)) return nullptr;
    Node done = finish(node, first);
    return negate ? negated(done) : done;
  }

  // loss("night-walkers"): the name of a run, or its folder
  bool lossOf(std::string& run) {
    take();
    if (!expect(Token::Kind::Open, "(")) return false;
    if (at().kind != Token::Kind::Word && at().kind != Token::Kind::Text)
      return fail(at(), "a run is expected here: its name, or its folder", "loss(\"night-walkers\")");
    run = take().text;
    return expect(Token::Kind::Close, ")");
  }

  Node lossCondition() {
    const Token word = at();
    auto node = std::make_shared<QueryNode>();
    node->kind = QueryNode::Kind::Image;
    node->field = ImageField::Loss;
    if (!lossOf(node->run)) return nullptr;
    return compared(FieldName<ImageField>{ImageField::Loss, "loss", true}, node, word);
  }

  Node termCondition() {
    const Token word = at();
    auto node = std::make_shared<QueryNode>();
    node->kind = QueryNode::Kind::Boxes;
    if (!term(node->term)) return nullptr;
    if (isTruth(node->term.kind)) return finish(node, word);
    if (at().kind != Token::Kind::Compare && !at().is("in") && !at().is("not"))
      return fail(at(), word.text + "(...) is a number; compare it", ">= 1"), nullptr;
    return compared(FieldName<BoxField>{BoxField::H, word.lowered, true}, node, word);
  }

  // any(...), count(...), min(h, ...)
  bool term(BoxTerm& term) {
    const Token word = take();
    const auto found =
        std::find_if(kTerms.begin(), kTerms.end(), [&](const auto& t) { return t.first == word.lowered; });
    if (found == kTerms.end()) return fail(word, "there is no '" + word.text + "(...)'", nearestTerm(word.lowered));
    term.kind = found->second;
    take();  // (
    if (isAggregate(term.kind) && !aggregateField(term)) return false;
    term.boxes = arguments();
    return term.boxes && expect(Token::Kind::Close, ")");
  }

  bool aggregateField(BoxTerm& term) {
    const Token word = take();
    const auto* field = fieldNamed(boxFields(), word.lowered);
    if (!field) return unknownBoxWord(word, true);
    if (!field->numeric) return fail(word, "'" + word.text + "' is no number", "h");
    term.field = field->field;
    if (at().kind == Token::Kind::Comma) take();
    return true;
  }

  Boxes arguments() {
    auto all = std::make_shared<BoxExpr>();
    if (at().kind == Token::Kind::Close) return all;
    all->kind = BoxExpr::Kind::And;
    while (true) {
      Boxes next = boxOr();
      if (!next) return nullptr;
      all->children.push_back(std::move(next));
      if (at().kind != Token::Kind::Comma) return all;
      take();
    }
  }

  Boxes boxOr() {
    if (++m_depth > kDeepest) return fail(at(), "parentheses are nested too deeply"), nullptr;
    Boxes node = chain<BoxExpr>("or", BoxExpr::Kind::Or, [this] { return boxAnd(); });
    --m_depth;
    return node;
  }
  Boxes boxAnd() {
    return chain<BoxExpr>("and", BoxExpr::Kind::And, [this] { return boxUnary(); });
  }

  Boxes boxUnary() {
    bool negate = false;
    while (at().is("not")) {
      take();
      negate = !negate;
    }
    Boxes node = boxPrimary();
    return negate && node ? negatedBox(node) : node;
  }

  static Boxes negatedBox(Boxes node) {
    auto result = std::make_shared<BoxExpr>();
    result->kind = BoxExpr::Kind::Not;
    result->children.push_back(std::move(node));
    return result;
  }

  Boxes boxPrimary() {
    if (at().kind == Token::Kind::Open) {
      take();
      Boxes node = boxOr();
      return node && expect(Token::Kind::Close, ")") ? node : nullptr;
    }
    if (at().kind != Token::Kind::Word && at().kind != Token::Kind::Text)
      return fail(at(), "a class or a condition on boxes is expected here", "pedestrian"), nullptr;
    const Token word = take();
    auto node = std::make_shared<BoxExpr>();
    node->kind = BoxExpr::Kind::Test;
    node->place = {word.column, word.length};
    const auto* field = word.kind == Token::Kind::Word ? fieldNamed(boxFields(), word.lowered) : nullptr;
    const bool compared = at().kind == Token::Kind::Compare || at().is("in") || (at().is("not") && ahead().is("in"));
    if (!field && compared) return unknownBoxWord(word, false), nullptr;
    if (!compared) {
      if (field && field->field != BoxField::Truncated)
        return fail(at(), "compare '" + word.text + "' with something", std::string(field->name) + " < 40"), nullptr;
      node->field = field ? BoxField::Truncated : BoxField::Class;
      node->values.push_back(field ? Operand{.text = "true"} : operandOf(word));
      return node;
    }
    node->field = field->field;
    bool negate = false;
    if (!comparison(*field, node->compare, node->values, negate)) return nullptr;
    return negate ? negatedBox(node) : node;
  }

  // <= 3, = front, in (a, b), not in (a, b)
  template <class F>
  bool comparison(const FieldName<F>& field, Compare& compare, std::vector<Operand>& values, bool& negate) {
    if (at().is("not") && ahead().is("in")) {
      take();
      negate = true;
    }
    if (at().is("in")) {
      take();
      compare = Compare::In;
      return expect(Token::Kind::Open, "(") && valueList(field, values);
    }
    const Token op = at();
    if (op.kind != Token::Kind::Compare)
      return fail(op, "a comparison is expected after '" + std::string(field.name) + "'", "= or in (...)");
    take();
    compare = op.text == "=" || op.text == "=="    ? Compare::Equal
              : op.text == "!=" || op.text == "<>" ? Compare::NotEqual
              : op.text == "<"                     ? Compare::Less
              : op.text == "<="                    ? Compare::LessEqual
              : op.text == ">"                     ? Compare::Greater
                                                   : Compare::GreaterEqual;
    const bool ordered = compare != Compare::Equal && compare != Compare::NotEqual;
    if (ordered && !field.numeric) return fail(op, "'" + std::string(field.name) + "' has no order", "= or !=");
    return value(field, values);
  }

  template <class F>
  bool valueList(const FieldName<F>& field, std::vector<Operand>& values) {
    while (true) {
      if (!value(field, values)) return false;
      if (at().kind == Token::Kind::Comma) {
        take();
        continue;
      }
      return expect(Token::Kind::Close, ")");
    }
  }

  template <class F>
  bool value(const FieldName<F>& field, std::vector<Operand>& values) {
    if (at().kind != Token::Kind::Word && at().kind != Token::Kind::Text)
      return fail(at(), "a value is expected here", exampleValue(field.name, field.numeric));
    Operand parsed = operandOf(at());
    if (field.numeric && !parsed.number) return fail(at(), "'" + at().text + "' is not a number", "40");
    take();
    values.push_back(std::move(parsed));
    return true;
  }

  Node finish(const std::shared_ptr<QueryNode>& node, const Token& first) {
    const Token& last = m_tokens[m_at - 1];
    node->place = {first.column, last.column + last.length - first.column};
    std::size_t i = m_at;
    while (i > 0 && m_tokens[i - 1].column >= first.column) --i;
    for (; i < m_at; ++i) node->key += m_tokens[i].key();
    if (!node->run.empty()) node->key += "\n" + node->run;  // folders do not ignore case
    return node;
  }

  void unknownField(const Token& word) {
    fail(word, "there is no field '" + word.text + "'", nearestField(word.lowered));
  }

  bool unknownBoxWord(const Token& word, bool numbersOnly) {
    return fail(word, "boxes have no field '" + word.text + "'", nearestBoxField(word.lowered, numbersOnly));
  }

  bool sortClause(QueryPlan& plan) {
    if (!at().is("sort")) return true;
    take();
    if (!at().is("by")) return fail(at(), "'by' is missing after 'sort'", "sort by n");
    take();
    SortOrder order;
    if (at().is("loss")) {
      order.field = ImageField::Loss;
      order.place = {ahead().column + ahead().length, 1};
      if (!lossOf(order.run)) return false;
      order.place.length = m_tokens[m_at - 1].column - order.place.column;
    } else if (at().kind == Token::Kind::Word && ahead().kind == Token::Kind::Open) {
      const Token word = at();
      order.byTerm = true;
      if (!term(order.term)) return false;
      if (isTruth(order.term.kind)) return fail(word, "'" + word.text + "(...)' is no number", "count(...)");
    } else {
      const Token word = take();
      const auto* field = fieldNamed(imageFields(), word.lowered);
      if (word.kind != Token::Kind::Word || !field) return unknownField(word), false;
      if (field->field == ImageField::Tag || field->field == ImageField::Note)
        return fail(word, "images cannot be sorted by " + word.lowered, "n");
      order.field = field->field;
    }
    if (at().is("asc") || at().is("desc")) order.descending = take().is("desc");
    plan.sort = std::move(order);
    return true;
  }

  bool limitClause(QueryPlan& plan) {
    if (!at().is("limit")) return true;
    take();
    const Operand count = operandOf(at());
    if (at().kind != Token::Kind::Word || !count.number || *count.number < 1 || count.percent ||
        *count.number != std::floor(*count.number))
      return fail(at(), "a whole number of at least 1 is expected after 'limit'", "limit 100");
    take();
    plan.limit = static_cast<std::size_t>(std::min(*count.number, 1e15));
    return true;
  }

  std::vector<Token> m_tokens;
  QueryError& m_error;
  std::size_t m_at = 0;
  int m_depth = 0;
  bool m_failed = false;
};

}  // namespace

std::shared_ptr<const QueryPlan> parsePlan(std::string_view text, QueryError& error) {
  auto tokens = tokenize(text, error);
  if (!tokens) return nullptr;
  return Parser(*std::move(tokens), error).run();
}

}  // namespace roadtune::data
