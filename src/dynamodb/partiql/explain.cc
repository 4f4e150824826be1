#include "dynamodb/partiql/explain.h"

#include <algorithm>
#include <string>

#include "dynamodb/items/key_text.h"
#include "dynamodb/partiql/branches.h"
#include "dynamodb/partiql/statement_key.h"
#include "dynamodb/reads/explain_read.h"

namespace dinette::dynamodb::partiql {
namespace {

std::string_view operation_of(const ReadPlan& plan) {
  if (plan.scans()) return "Scan";
  return std::ranges::all_of(plan.reads, &KeyRead::whole_key) ? "GetItem" : "Query";
}

std::string_view operation_of(Verb verb) {
  switch (verb) {
    case Verb::insert:
      return "PutItem";
    case Verb::update:
      return "UpdateItem";
    case Verb::erase:
      return "DeleteItem";
    case Verb::exists:
      return "ConditionCheck";
    case Verb::select:
      break;
  }
  return "";
}

std::string text_of(std::string_view attribute, const KeyTerm& term) {
  const bool list = term.op == expr::KeyOperator::equal && term.values.size() > 1;
  if (!list) {
    const expr::KeyClause clause{attribute, term.op, term.values.front(),
                                 term.values.size() > 1 ? term.values[1] : nullptr};
    return key_text(std::span(&clause, 1));
  }
  std::string text = std::string(attribute) + " IN [";
  for (const model::AttributeValue* value : term.values) {
    if (text.back() != '[') text += ", ";
    append_key_value(text, *value);
  }
  return text + "]";
}

std::string key_condition(const Bound& bound, const ReadTarget& target) {
  const expr::ParsedRef& where = bound.statement().where;
  if (!where) return "";
  const bool has_range = target.key().size() > 1;
  const KeyNames names{target.key().front().attribute, has_range ? target.key()[1].attribute : ""};
  const expr::Bindings bindings = bound.bindings(*where);
  std::string text;
  for (const Branch& branch : branches_of(*where, bindings, names).all) {
    if (!text.empty()) text += " OR ";
    text += text_of(names.hash, *branch.hash);
    if (branch.range) text += " AND " + text_of(names.range, *branch.range);
  }
  return text;
}

}  // namespace

void explain(Explanation& explanation, const Bound& bound, const ReadSource& source, const ReadPlan& plan,
             const SelectedPage& page) {
  const IndexSchema* const index = source.target.index();
  explanation.add({.operation = operation_of(plan),
                   .table = bound.statement().table,
                   .index = index ? index->name : std::string_view(),
                   .key_condition = key_condition(bound, source.target),
                   .looked_at = page.looked_at,
                   .returned = page.returned,
                   .units = page.charge.units()});
}

void explain_item(Explanation& explanation, const Bound& bound, const TableSchema& schema, bool found,
                  double units) {
  const StatementKey key = key_of(bound, schema, Equality::or_in);
  explain_read(explanation, bound.statement().table, schema, key.values, found, units);
}

void explain_write(Explanation& explanation, const Bound& bound, const TableSchema& schema,
                   const ItemAction& action, bool found, bool returned, double units) {
  explanation.add({.operation = operation_of(bound.statement().verb),
                   .table = bound.statement().table,
                   .key_condition = key_text(schema, action.key_attributes()),
                   .looked_at = found ? 1U : 0U,
                   .returned = returned ? 1U : 0U,
                   .units = units});
}

}  // namespace dinette::dynamodb::partiql
