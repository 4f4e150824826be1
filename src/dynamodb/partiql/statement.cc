#include "dynamodb/partiql/statement.h"

#include <algorithm>
#include <array>
#include <utility>

#include "dynamodb/codec/inputs.h"
#include "dynamodb/partiql/compiler.h"
#include "dynamodb/partiql/literal.h"
#include "dynamodb/partiql/parse/keywords.h"

namespace dinette::dynamodb::partiql {
namespace {

using base::Failure;

struct Pair {
  std::string_view name;
  std::string_view printed;
  api::ReturnValue value;
};
constexpr std::array<Pair, 4> returning_pairs = {
    {{"all_old", "ALL OLD", api::ReturnValue::all_old},
     {"all_new", "ALL NEW", api::ReturnValue::all_new},
     {"modified_old", "MODIFIED OLD", api::ReturnValue::updated_old},
     {"modified_new", "MODIFIED NEW", api::ReturnValue::updated_new}}};

/// Puts a Statement together, in the order in which its faults win (docs/service/partiql.md section 2).
class Compiler {
 public:
  explicit Compiler(const Tree& tree) : tree_(tree), constants_(tree, statement_) {}

  Checked<StatementRef> compile() {
    statement_.parameters = tree_.parameters;
    const Node& root = tree_.at(tree_.root);
    switch (root.kind) {
      case NodeKind::select:
        DINETTE_CHECK(select(root));
        break;
      case NodeKind::update:
        DINETTE_CHECK(update(root));
        break;
      case NodeKind::erase:
        DINETTE_CHECK(erase(root));
        break;
      case NodeKind::insert:
        DINETTE_CHECK(insert(root));
        break;
      default:
        DINETTE_CHECK(other(root));
    }
    return std::make_shared<const Statement>(std::move(statement_));
  }

 private:
  Source source() { return {tree_, constants_, statement_}; }

  const Node* child_of(const Node& node, NodeKind kind) const {
    const auto found =
        std::ranges::find_if(node.children, [&](NodeId id) { return tree_.at(id).kind == kind; });
    return found == node.children.end() ? nullptr : &tree_.at(*found);
  }

  Checked<void> other(const Node& root) {
    const bool exists = root.kind == NodeKind::call && lowered(tree_.token(root).text) == "exists" &&
                        root.children.size() == 1 && tree_.child(root, 0).kind == NodeKind::select;
    if (exists) {
      statement_.verb = Verb::exists;
      return select(tree_.child(root, 0));
    }
    if (root.kind == NodeKind::is_type) return Failure{std::string("Unsupported operation: IsType")};
    return Failure{"Unsupported operation: " + tree_.token(root).text};
  }

  Checked<void> select(const Node& select) {
    const Node* const clause = child_of(select, NodeKind::where);
    if (clause) DINETTE_CHECK(constants_.convert(clause->children.front()));
    DINETTE_CHECK(refuse_unsupported(select));
    const Node& columns = tree_.child(select, 0);
    DINETTE_CHECK(table(tree_.child(select, 1), "Unexpected from source"));
    if (columns.kind == NodeKind::select_list) DINETTE_CHECK(select_columns(columns));
    DINETTE_CHECK(where(clause));
    const Node* const order = child_of(select, NodeKind::order_by);
    return order ? order_by(*order) : Checked<void>();
  }

  Checked<void> select_columns(const Node& list) {
    for (const NodeId child : list.children) {
      const Node& column = tree_.at(child);
      if (column.kind != NodeKind::call && column.kind != NodeKind::call_star) continue;
      // Comes after some looks at the table.
      statement_.column_refusal = "Unexpected path component at " + tree_.token(column).position.text();
      return {};
    }
    DINETTE_TRY(statement_.columns, compile_columns(source(), list));
    return {};
  }

  Checked<void> order_by(const Node& order) {
    for (const NodeId child : order.children) {
      const Node& sort = tree_.at(child);
      const Node& by = tree_.child(sort, 0);
      statement_.order.push_back({printed(by), sort.negated});
    }
    return {};
  }

  /// The path as it is written, without quotes.
  std::string printed(const Node& node) const {
    if (node.kind != NodeKind::path) return tree_.token(node).text;
    std::string text = tree_.token(tree_.child(node, 0)).text;
    for (std::size_t i = 1; i < node.children.size(); ++i) {
      const Node& step = tree_.child(node, i);
      const std::string& name = tree_.token(step).text;
      text += step.kind == NodeKind::step_index ? '[' + name + ']' : '.' + name;
    }
    return text;
  }

  Checked<void> update(const Node& update) {
    statement_.verb = Verb::update;
    for (const NodeId child : update.children) {
      const NodeKind kind = tree_.at(child).kind;
      if (kind == NodeKind::where || kind == NodeKind::set) DINETTE_CHECK(constants_.convert(child));
    }
    DINETTE_CHECK(table(tree_.child(update, 0), "Unexpected from source"));
    if (const Node* const insert = child_of(update, NodeKind::insert))
      return Failure{"Unsupported clause: INSERT INTO at " + tree_.token(*insert).position.text()};
    DINETTE_CHECK(refuse_index());
    DINETTE_CHECK(where(child_of(update, NodeKind::where)));
    DINETTE_TRY(statement_.update, compile_update(source(), update));
    return returning(update);
  }

  Checked<void> erase(const Node& erase) {
    statement_.verb = Verb::erase;
    const Node* const clause = child_of(erase, NodeKind::where);
    if (clause) DINETTE_CHECK(constants_.convert(clause->children.front()));
    DINETTE_CHECK(table(tree_.child(erase, 0), "Unexpected from source"));
    DINETTE_CHECK(refuse_index());
    DINETTE_CHECK(where(clause));
    return returning(erase);
  }

  Checked<void> insert(const Node& insert) {
    statement_.verb = Verb::insert;
    DINETTE_CHECK(refuse_unsupported(insert));
    const Node& value = tree_.child(insert, 1);
    if (value.kind != NodeKind::structure) {
      return Failure{
          "Unsupported format in item expression. Please use struct format {...} to express item values for "
          "insert "
          "statement. at " +
          tree_.token(value).position.text()};
    }
    for (const NodeId child : value.children) DINETTE_CHECK(member(tree_.at(child)));
    const Node& target = tree_.child(insert, 0);
    DINETTE_CHECK(table(target, "Unexpected from source"));
    if (statement_.index) {
      return Failure{"FROM clause may only contain a single table name in data manipulation statements at " +
                     tree_.token(target).position.text()};
    }
    return returning(insert);
  }

  Checked<void> member(const Node& member) {
    const Node& key = tree_.child(member, 0);
    const Node& value = tree_.child(member, 1);
    if (key.kind != NodeKind::string || (!is_literal(value.kind) && value.kind != NodeKind::parameter))
      return unsupported_data(tree_, key.kind == NodeKind::string ? value : key, "root");
    DINETTE_CHECK(constants_.convert(member.children[1]));
    const std::string& name = tree_.token(key).text;
    if (const auto* problem = codec::problem_of_name(name)) return Failure{problem->message};
    statement_.item.push_back({name, constants_.slot(member.children[1])});
    return {};
  }

  Checked<void> where(const Node* clause) {
    if (!clause) return {};
    DINETTE_TRY(statement_.where, compile_condition(source(), clause->children.front()));
    return {};
  }

  /// Reads `"T"` or `"T"."index"`.
  Checked<void> table(const Node& node, std::string_view otherwise) {
    if (node.kind == NodeKind::alias) return Failure{std::string("Aliasing is not supported")};
    std::vector<std::string> names;
    if (node.kind == NodeKind::name) names.push_back(tree_.token(node).text);
    if (node.kind == NodeKind::path) {
      for (const NodeId child : node.children) {
        const Node& part = tree_.at(child);
        const bool name = part.kind == NodeKind::name || part.kind == NodeKind::step_name;
        if (!name) return Failure{std::string(otherwise)};
        names.push_back(tree_.token(part).text);
      }
    }
    if (names.empty()) return Failure{std::string(otherwise)};
    if (std::ranges::find(names, "") != names.end())
      return Failure{std::string("Path component cannot be an empty string")};
    if (names.size() > 2)
      return Failure{std::string("A path may contain at most 2 components in the FROM clause")};
    statement_.table = std::move(names.front());
    if (names.size() == 2) statement_.index = std::move(names.back());
    return {};
  }

  Checked<void> refuse_index() const {
    if (!statement_.index) return {};
    return Failure{std::string("This operation is not supported on an index")};
  }

  Checked<void> refuse_unsupported(const Node& node) const {
    const Node* const clause = child_of(node, NodeKind::unsupported);
    if (!clause) return {};
    std::string named = tree_.tokens[clause->word].text;
    for (char& c : named) c = c == '_' ? ' ' : static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
    return Failure{"Unsupported clause: " + named + " at " + tree_.token(*clause).position.text()};
  }

  Checked<void> returning(const Node& statement) {
    const Node* const clause = child_of(statement, NodeKind::returning);
    if (!clause) return {};
    const Node& element = tree_.child(*clause, 0);
    const auto* const pair = std::ranges::find(returning_pairs, tree_.token(element).text, &Pair::name);
    const bool one_star =
        clause->children.size() == 1 && tree_.child(element, 0).kind == NodeKind::select_all;
    const auto refuse = [&](const std::string& rule) {
      return Failure{"Invalid returning clause: RETURNING " + std::string(pair->printed) + " *. " + rule};
    };
    if (!one_star) return refuse("Only one element with * is allowed.");
    if (statement_.verb == Verb::insert) return refuse("RETURNING is not allowed in INSERT statements.");
    if (statement_.verb == Verb::erase && pair->value != api::ReturnValue::all_old)
      return refuse("Only RETURNING ALL OLD * is allowed in DELETE statements.");
    statement_.returning = pair->value;
    return {};
  }

  const Tree& tree_;
  Statement statement_;
  Constants constants_;
};

}  // namespace

std::size_t Statement::footprint() const {
  std::size_t bytes = sizeof(Statement) + constants.capacity() * sizeof(Constant) +
                      checks.capacity() * sizeof(OperandCheck) + item.capacity() * sizeof(Member);
  for (const expr::ParsedRef& parsed : {where, columns, update}) bytes += parsed ? parsed->footprint() : 0;
  for (const Constant& constant : constants) bytes += model::size_in_bytes(constant.literal);
  return bytes;
}

Checked<StatementRef> compile(std::string_view text) {
  DINETTE_TRY(const Tree tree, parse(text));
  return Compiler(tree).compile();
}

}  // namespace dinette::dynamodb::partiql
