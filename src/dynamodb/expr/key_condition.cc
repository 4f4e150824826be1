#include "dynamodb/expr/key_condition.h"

#include <algorithm>
#include <optional>
#include <string>

#include "dynamodb/expr/binder.h"
#include "dynamodb/expr/document.h"
#include "dynamodb/model/value_checks.h"

namespace dinette::dynamodb::expr {

std::optional<KeyOperator> key_operator(ConditionOp op) {
  switch (op) {
    case ConditionOp::equal:
      return KeyOperator::equal;
    case ConditionOp::less:
      return KeyOperator::less;
    case ConditionOp::less_equal:
      return KeyOperator::less_equal;
    case ConditionOp::greater:
      return KeyOperator::greater;
    case ConditionOp::greater_equal:
      return KeyOperator::greater_equal;
    case ConditionOp::between:
      return KeyOperator::between;
    case ConditionOp::begins_with:
      return KeyOperator::begins_with;
    default:
      return std::nullopt;
  }
}

std::optional<KeyOperator> mirrored(KeyOperator op) {
  switch (op) {
    case KeyOperator::equal:
      return KeyOperator::equal;
    case KeyOperator::less:
      return KeyOperator::greater;
    case KeyOperator::less_equal:
      return KeyOperator::greater_equal;
    case KeyOperator::greater:
      return KeyOperator::less;
    case KeyOperator::greater_equal:
      return KeyOperator::less_equal;
    case KeyOperator::between:
    case KeyOperator::begins_with:
      return std::nullopt;
  }
  return std::nullopt;
}

namespace {

using model::AttributeValue;

base::Failure<ExpressionError> bare(std::string message) {
  return {ExpressionError{std::move(message), true}};
}

class KeyBinder {
 public:
  KeyBinder(const Parsed& parsed, Placeholders& placeholders)
      : parsed_(parsed), ast_(std::get<ConditionAst>(parsed.form)), binder_(parsed, placeholders) {}

  // From the top of the tree down, clauses in written order; the first problem wins
  // (docs/service/expressions.md section 8). The root is the last node.
  Checked bind() { return bind(ast_.nodes.back()); }

  KeyClauses take() { return std::move(clauses_); }

 private:
  // The depth is at most the number of operators an expression may have.
  Checked bind(const ConditionNode& node) {
    if (node.op == ConditionOp::logical_and) {
      DINETTE_CHECK(bind(ast_.nodes[node.a]));
      return bind(ast_.nodes[node.b]);
    }
    const auto op = key_operator(node.op);
    if (!op) {
      return invalid(parsed_.kind,
                     "Invalid operator used in KeyConditionExpression: " + std::string(symbol(node.op)));
    }
    const std::span<const Operand> operands(ast_.operands.data() + node.a, operand_count(node));
    DINETTE_CHECK(binder_.operands(operands));
    DINETTE_CHECK(check_comparison(parsed_, node, binder_));
    return add_clause(*op, operands);
  }

  Checked add_clause(KeyOperator op, std::span<const Operand> operands) {
    const auto paths = std::ranges::count(operands, Operand::Kind::path, &Operand::kind);
    const auto values = std::ranges::count(operands, Operand::Kind::value, &Operand::kind);
    if (static_cast<std::size_t>(paths + values) != operands.size()) {
      return invalid(parsed_.kind, "KeyConditionExpressions cannot contain nested operations");
    }
    const auto invalid_condition = [&](std::string_view problem) {
      return invalid(parsed_.kind, "Invalid condition in KeyConditionExpression: " + std::string(problem));
    };
    if (paths > 1) return invalid_condition("Multiple attribute names used in one condition");
    const bool flipped = operands.front().kind != Operand::Kind::path;
    if (flipped && op == KeyOperator::between) {
      return invalid_condition("BETWEEN operator must have the key attribute as its first operand");
    }
    const auto effective = flipped ? mirrored(op) : op;
    if (paths == 0 || !effective) return invalid_condition("No key attribute specified");
    const Path path = parsed_.paths[operands[flipped ? 1 : 0].slot];
    if (path.count > 1) {
      return invalid(parsed_.kind, "KeyConditionExpressions cannot have conditions on nested attributes");
    }
    const Bindings& bindings = binder_.bindings();
    const std::string_view attribute = root_name(parsed_, bindings, path);
    if (std::ranges::find(clauses_, attribute, &KeyClause::attribute) != clauses_.end()) {
      return invalid(parsed_.kind, "KeyConditionExpressions must only contain one condition per key");
    }
    clauses_.push_back({attribute, *effective, bindings.values[operands[flipped ? 0 : 1].slot],
                        op == KeyOperator::between ? bindings.values[operands[2].slot] : nullptr});
    return {};
  }

  const Parsed& parsed_;
  const ConditionAst& ast_;
  Binder binder_;
  KeyClauses clauses_;
};

const KeyClause* clause_on(std::span<const KeyClause> clauses, std::string_view attribute) {
  const auto found = std::ranges::find(clauses, attribute, &KeyClause::attribute);
  return found == clauses.end() ? nullptr : &*found;
}

// A key of an index that has several attributes in one of its roles: those have sentences of their own.
bool has_several_attributes(std::span<const KeyPart> schema) {
  const auto hashes = std::ranges::count(schema, true, &KeyPart::hash);
  return hashes > 1 || static_cast<std::ptrdiff_t>(schema.size()) - hashes > 1;
}

// Of such a key, all HASH attributes need an equality (docs/service/indexes.md section 4).
Checked check_hash_equalities(std::span<const KeyClause> clauses, std::span<const KeyPart> schema) {
  std::string open;
  for (const KeyPart& part : schema) {
    const KeyClause* clause = clause_on(clauses, part.attribute);
    if (!part.hash || (clause != nullptr && clause->op == KeyOperator::equal)) continue;
    if (!open.empty()) open += ", ";
    open += part.attribute;
  }
  if (open.empty()) return {};
  return bare("HASH key attributes " + open + " must have equality conditions specified in the query");
}

// Every hash attribute needs a clause, and a clause on no key attribute leaves some key attribute without
// one.
Checked check_coverage(std::span<const KeyClause> clauses, std::span<const KeyPart> schema) {
  if (clauses.size() > schema.size()) {
    return bare("The number of query conditions (" + std::to_string(clauses.size()) +
                ") exceeds the number of key attributes defined in the schema (" +
                std::to_string(schema.size()) + ")");
  }
  if (has_several_attributes(schema)) DINETTE_CHECK(check_hash_equalities(clauses, schema));
  const bool foreign = std::ranges::any_of(clauses, [&](const KeyClause& clause) {
    return std::ranges::find(schema, clause.attribute, &KeyPart::attribute) == schema.end();
  });
  for (const KeyPart& part : schema) {
    if (clause_on(clauses, part.attribute) != nullptr || !(part.hash || foreign)) continue;
    return bare("Query condition missed key schema element: " + std::string(part.attribute));
  }
  return {};
}

Checked check_value(const AttributeValue& value, const KeyPart& part) {
  if (value.type() != part.type) {
    return bare(std::string(model::invalid_parameters) +
                "Condition parameter type does not match schema type");
  }
  auto checked = model::check_key_value(part.attribute, value,
                                        part.hash ? model::KeyRole::partition : model::KeyRole::sort);
  if (!checked.ok()) return bare(std::move(checked).error());
  return {};
}

Checked check_clause(const KeyClause& clause, const KeyPart& part) {
  if (part.hash && clause.op != KeyOperator::equal) return bare("Query key condition not supported");
  DINETTE_CHECK(check_value(*clause.value, part));
  return clause.high != nullptr ? check_value(*clause.high, part) : Checked{};
}

// Range attributes are used left to right (docs/service/indexes.md section 4).
Checked check_range_order(std::span<const KeyClause> clauses, std::span<const KeyPart> schema) {
  std::string open;  // those without an equality so far
  for (const KeyPart& part : schema) {
    if (part.hash) continue;
    const KeyClause* clause = clause_on(clauses, part.attribute);
    if (clause != nullptr && !open.empty()) {
      return bare("RANGE key attributes " + open +
                  " must have equality conditions specified in the query because a condition is present on "
                  "key attribute " +
                  std::string(part.attribute));
    }
    if (clause != nullptr && clause->op == KeyOperator::equal) continue;
    if (!open.empty()) open += ", ";
    open += part.attribute;
  }
  return {};
}

}  // namespace

base::Result<KeyCondition, ExpressionError> bind_key_condition(const ParsedRef& parsed,
                                                               Placeholders& placeholders) {
  KeyBinder binder(*parsed, placeholders);
  DINETTE_CHECK(binder.bind());
  return KeyCondition{parsed, binder.take()};
}

base::Result<MatchedKey, ExpressionError> match_key(std::span<const KeyClause> clauses,
                                                    std::span<const KeyPart> schema) {
  DINETTE_CHECK(check_coverage(clauses, schema));
  MatchedKey key;
  for (const KeyPart& part : schema) {
    const KeyClause* clause = clause_on(clauses, part.attribute);
    if (clause == nullptr) continue;
    DINETTE_CHECK(check_clause(*clause, part));
    (part.hash ? key.hash : key.range).push_back(*clause);
  }
  DINETTE_CHECK(check_range_order(clauses, schema));
  return key;
}

}  // namespace dinette::dynamodb::expr
