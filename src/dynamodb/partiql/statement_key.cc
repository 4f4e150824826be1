#include "dynamodb/partiql/statement_key.h"

#include "dynamodb/expr/document.h"

namespace dinette::dynamodb::partiql {
namespace {

using expr::ConditionNode;
using expr::ConditionOp;
using expr::Operand;

class KeyReader {
 public:
  KeyReader(const Bound& bound, const TableSchema& schema, Equality equality)
      : bound_(bound),
        schema_(schema),
        equality_(equality),
        parsed_(*bound.statement().where),
        ast_(std::get<expr::ConditionAst>(parsed_.form)) {}

  // The depth is that of the condition.
  void read(std::size_t slot) {
    const ConditionNode& node = ast_.nodes[slot];
    if (node.op == ConditionOp::logical_and) {
      read(node.a);
      read(node.b);
      return;
    }
    const bool equality = node.op == ConditionOp::equal ||
                          (node.op == ConditionOp::in && node.b == 2 && equality_ == Equality::or_in);
    const bool of_key =
        equality && (add(node.a, node.a + 1U) || (node.op == ConditionOp::equal && add(node.a + 1U, node.a)));
    if (!of_key) key_.alone = false;
  }

  StatementKey take() { return std::move(key_); }

 private:
  /// Returns false unless these are a key attribute and a constant.
  bool add(std::size_t attribute, std::size_t constant) {
    const Operand& left = ast_.operands[attribute];
    const Operand& right = ast_.operands[constant];
    if (left.kind != Operand::Kind::path || right.kind != Operand::Kind::value) return false;
    const expr::Path path = parsed_.paths[left.slot];
    if (path.count != 1) return false;
    const std::string& name = parsed_.names[parsed_.elements[path.first].number].text;
    if (!schema_.is_key(name)) return false;
    const model::AttributeValue& value = bound_.value(right.slot);
    const model::AttributeValue* const before = key_.values.find(name);
    if (before && !(*before == value)) {
      if (!key_.repeated) key_.repeated = &name;
      key_.alone = false;
    } else {
      key_.equalities.emplace_back(static_cast<expr::Slot>(attribute), static_cast<expr::Slot>(constant));
    }
    if (!before) key_.values.set(name, value);
    return true;
  }

  const Bound& bound_;
  const TableSchema& schema_;
  const Equality equality_;
  const expr::Parsed& parsed_;
  const expr::ConditionAst& ast_;
  StatementKey key_;
};

}  // namespace

expr::ParsedRef without_equalities(const expr::Parsed& where, const StatementKey& key) {
  expr::Parsed rest = where;
  auto& operands = std::get<expr::ConditionAst>(rest.form).operands;
  // A constant is equal to itself.
  for (const auto& [attribute, constant] : key.equalities) operands[attribute] = operands[constant];
  return std::make_shared<const expr::Parsed>(std::move(rest));
}

StatementKey key_of(const Bound& bound, const TableSchema& schema, Equality equality) {
  if (!bound.statement().where) return {};
  KeyReader reader(bound, schema, equality);
  reader.read(std::get<expr::ConditionAst>(bound.statement().where->form).nodes.size() - 1);
  return reader.take();
}

}  // namespace dinette::dynamodb::partiql
