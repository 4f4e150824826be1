#include <algorithm>
#include <utility>

#include "cql/data/row_values.h"
#include "cql/statements/modification.h"
#include "cql/types/key_order.h"
#include "cql/types/parts.h"
#include "cql/values/numbers.h"

// docs/service-keyspaces/dml.md section 6.
namespace dinette::cql::statements {
namespace {

using grammar::Conditions;
using grammar::Operator;
using schema::ColumnKind;

/// Returns the element of a list at a place.
std::optional<std::string_view> list_element(std::string_view list, std::int64_t place) {
  PartReader in(list);
  in.read_int();
  for (std::int64_t i = 0; !in.at_end(); ++i) {
    const auto part = in.read(static_cast<std::size_t>(std::max(in.read_int().value_or(0), 0)));
    if (i == place) return part;
  }
  return std::nullopt;
}

std::optional<std::string_view> map_value(const Type& type, std::string_view map, std::string_view key) {
  PartReader in(map);
  in.read_int();
  while (!in.at_end()) {
    const auto found = in.read(static_cast<std::size_t>(std::max(in.read_int().value_or(0), 0)));
    const auto value = in.read(static_cast<std::size_t>(std::max(in.read_int().value_or(0), 0)));
    if (found && value && compare_values(type.arguments[0], *found, key) == 0) return value;
  }
  return std::nullopt;
}

std::optional<std::string_view> field_value(std::string_view value, std::size_t field) {
  PartReader in(value);
  for (std::size_t i = 0; !in.at_end(); ++i) {
    const std::int32_t size = in.read_int().value_or(-1);
    const auto part = size < 0 ? std::nullopt : in.read(static_cast<std::size_t>(size));
    if (i == field) return part;
  }
  return std::nullopt;
}

/// What a condition is about: a column, an element or a field.
Answer<std::optional<std::string_view>> tested_value(const BoundCondition& condition,
                                                     const data::RowValues& row) {
  const ConditionCheck& check = *condition.check;
  const auto value = row.value(check.place);
  if (check.key) {
    const Kind kind = check.column->type.kind;
    if (condition.key.is_null()) {
      return invalid("Invalid null value for " + std::string(kind == Kind::list ? "list" : "map") +
                     " element access");
    }
    if (!value) return std::optional<std::string_view>();
    if (kind == Kind::map) return map_value(check.column->type, *value, condition.key.bytes);
    const std::int64_t index = read_fixed(condition.key.bytes);
    if (index < 0) return invalid("Invalid negative list index " + std::to_string(index));
    return list_element(*value, index);
  }
  if (check.field && value) return field_value(*value, *check.field);
  return value;
}

/// A collection that is not frozen and has no elements is null.
bool is_null_like(const ConditionCheck& check, const TermValue& value) {
  if (value.is_null()) return true;
  return !check.key && !check.field && check.column->has_parts() && check.type.kind != Kind::udt &&
         value.bytes == std::string(4, '\0');
}

bool fulfils(Operator comparison, std::strong_ordering order) {
  switch (comparison) {
    case Operator::less:
      return std::is_lt(order);
    case Operator::less_or_equal:
      return std::is_lteq(order);
    case Operator::greater:
      return std::is_gt(order);
    case Operator::greater_or_equal:
      return std::is_gteq(order);
    case Operator::not_equal:
      return std::is_neq(order);
    default:
      return std::is_eq(order);
  }
}

Answer<bool> holds_one(const BoundCondition& condition, const data::RowValues& row) {
  const ConditionCheck& check = *condition.check;
  DINETTE_TRY(const auto found, tested_value(condition, row));
  const auto equals = [&](const TermValue& wanted) {
    if (is_null_like(check, wanted)) return !found.has_value();
    return found && compare_values(check.type, *found, wanted.bytes) == 0;
  };
  if (check.comparison == Operator::in) return std::ranges::any_of(condition.values, equals);
  const TermValue& wanted = condition.values.front();
  if (is_null_like(check, wanted)) {
    if (check.comparison == Operator::equal) return !found.has_value();
    if (check.comparison == Operator::not_equal) return found.has_value();
    return invalid("Invalid comparison with null for operator \"" +
                   std::string(grammar::to_text(check.comparison)) + "\"");
  }
  if (!found) return check.comparison == Operator::not_equal;
  return fulfils(check.comparison, compare_values(check.type, *found, wanted.bytes));
}

Answer<TermValue> evaluate_set(const Term& term, const Bindings& bindings) {
  DINETTE_TRY(TermValue value, term.evaluate(bindings));
  if (value.is_unset()) return invalid("Invalid 'unset' value in condition");
  return value;
}

/// Binds one of the values of IN. One that is not set is left out, but of a field
/// (docs/service-keyspaces/dml.md section 6).
Answer<void> bind_element(const Term& term, const ConditionCheck& check, const Bindings& bindings,
                          BoundCondition& out) {
  DINETTE_TRY(TermValue value, term.evaluate(bindings));
  if (!value.is_unset()) {
    out.values.push_back(std::move(value));
  } else if (check.field) {
    return invalid("Invalid 'unset' value in condition");
  }
  return {};
}

Answer<void> bind_list(const Term& list, const Bindings& bindings, std::vector<TermValue>& out) {
  DINETTE_TRY(const TermValue value, evaluate_set(list, bindings));
  if (value.is_null()) return invalid("Invalid null list in IN condition");
  PartReader in(value.bytes);
  DINETTE_CHECK(check_combinations(static_cast<std::size_t>(in.read_int().value_or(0))));
  while (!in.at_end()) {
    const std::int32_t size = in.read_int().value_or(-1);
    const auto element = size < 0 ? std::nullopt : in.read(static_cast<std::size_t>(size));
    out.push_back(element ? TermValue::of(std::string(*element)) : TermValue{});
  }
  return {};
}

}  // namespace

Answer<std::vector<BoundCondition>> bind_conditions(const Modification& statement, const Bindings& bindings) {
  std::vector<BoundCondition> out;
  for (const ConditionCheck& check : statement.conditions) {
    BoundCondition& bound = out.emplace_back(BoundCondition{.check = &check});
    if (check.key) {
      DINETTE_TRY(bound.key, evaluate_set(*check.key, bindings));
    }
    if (check.value) {
      DINETTE_TRY(bound.values.emplace_back(), evaluate_set(*check.value, bindings));
    }
    for (const Term& term : check.in.terms) DINETTE_CHECK(bind_element(term, check, bindings, bound));
    if (check.in.list) DINETTE_CHECK(bind_list(*check.in.list, bindings, bound.values));
  }
  return out;
}

Answer<bool> holds(const Modification& statement, std::span<const BoundCondition> conditions,
                   const data::RowWrite& write, const data::SeenRow& seen) {
  const bool exists = write.has_row ? seen.exists : !seen.statics.empty();
  if (statement.existence == Conditions::Existence::exists) return exists;
  if (statement.existence == Conditions::Existence::not_exists) return !exists;
  data::RowValues values(statement.table());
  values.set_cells(seen.row.cells);
  values.set_cells(seen.statics);
  for (const BoundCondition& condition : conditions) {
    DINETTE_TRY(const bool fulfilled, holds_one(condition, values));
    if (!fulfilled) return false;
  }
  return true;
}

std::vector<std::size_t> columns_of_refusal(const Modification& statement) {
  std::vector<std::size_t> columns;
  if (statement.existence != Conditions::Existence::any) {
    for (std::size_t i = 0; i < statement.table().columns.size(); ++i) columns.push_back(i);
    return columns;
  }
  for (const ColumnKind kind : {ColumnKind::regular, ColumnKind::static_}) {
    for (const ConditionCheck& check : statement.conditions) {
      const bool known = std::ranges::find(columns, check.place) != columns.end();
      if (check.column->kind == kind && !known) columns.push_back(check.place);
    }
  }
  return columns;
}

RowSet applied_answer(const schema::Table& table) {
  RowSet out;
  out.metadata = frames::Metadata::of({{table.keyspace, table.name, "[applied]", {.kind = Kind::boolean}}});
  out.rows.push_back({frames::Cell(std::string(1, '\1'))});
  return out;
}

}  // namespace dinette::cql::statements
