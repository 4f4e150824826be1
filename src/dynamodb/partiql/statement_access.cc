#include "dynamodb/partiql/statement_access.h"

#include <string>
#include <utility>

#include "dynamodb/expr/expressions.h"
#include "dynamodb/expr/path_set.h"
#include "dynamodb/items/key_text.h"
#include "dynamodb/partiql/read_plan.h"
#include "dynamodb/partiql/read_source.h"
#include "dynamodb/partiql/select.h"
#include "dynamodb/partiql/statement_key.h"
#include "dynamodb/request/access.h"
#include "dynamodb/tables/resource_access.h"

namespace dinette::dynamodb::partiql {
namespace {

using Values = iam::RequestContext::Values;

std::string_view action_of(Verb verb) {
  switch (verb) {
    case Verb::insert:
      return "PartiQLInsert";
    case Verb::update:
      return "PartiQLUpdate";
    case Verb::erase:
      return "PartiQLDelete";
    default:
      return "PartiQLSelect";
  }
}

/// Every attribute that the select list, WHERE, SET or the new item names.
Values attributes_of(const Bound& bound) {
  const Statement& statement = bound.statement();
  Values names;
  const auto add = [&](const auto& more) { names.insert(names.end(), more.begin(), more.end()); };
  for (const Member& member : statement.item) names.push_back(member.name);
  if (statement.columns) {
    const expr::Columns columns(statement.columns, bound.bindings(*statement.columns),
                                statement.column_names);
    add(columns.attributes());
  }
  if (statement.where) add(expr::Condition(statement.where, bound.bindings(*statement.where)).attributes());
  if (!statement.update) return names;
  if (auto targets = expr::arrange_targets(statement.update, bound.bindings(*statement.update))) {
    const expr::Update update(*std::move(targets));
    add(update.attributes());
    add(update.operands());
  }
  return names;
}

/// Adds what is known of how a SELECT is going to read. One whose ORDER BY is refused is refused after a
/// denial by LeadingKeys and before one of scans (docs/service/insights-policies-account.md section 5).
void add_plan_keys(const Context& context, const Bound& bound, iam::RequestContext& keys) {
  const auto source = open_source(context, bound.statement(), false);
  if (!source) return;
  const expr::ParsedRef& where = bound.statement().where;
  const expr::Bindings bindings = where ? bound.bindings(*where) : expr::Bindings();
  const auto plan = plan_read(bound, source->target, bindings, OrderBy::ignored);
  if (!plan) return;
  for (const KeyRead& read : plan->reads) {
    if (read.hash) keys.add("dynamodb:LeadingKeys", plain_key_value(*read.hash));
  }
  if (plan_read(bound, source->target, bindings))
    keys.add("dynamodb:FullTableScan", plan->scans() ? "true" : "false");
}

void add_written_key(const Bound& bound, const TableSchema& schema, iam::RequestContext& keys) {
  const std::string& hash = schema.hash_key().name;
  for (const Member& member : bound.statement().item) {
    if (member.name == hash) keys.add("dynamodb:LeadingKeys", plain_key_value(bound.value(member.constant)));
  }
  if (bound.statement().verb == Verb::insert) return;
  const StatementKey key = key_of(bound, schema, Equality::strict);
  if (const model::AttributeValue* const value = key.values.find(hash))
    keys.add("dynamodb:LeadingKeys", plain_key_value(*value));
}

}  // namespace

Answer<void> check_access(const Context& context, const Bound& bound, std::string_view enclosing) {
  if (context.access == nullptr) return {};
  const Statement& statement = bound.statement();
  DINETTE_TRY(const ResourceAccess resource, resource_access(context, statement.table, statement.index));
  AccessRequest request = resource.request;
  request.action = action_of(statement.verb);
  if (!enclosing.empty()) request.keys.add("dynamodb:EnclosingOperation", std::string(enclosing));
  Values attributes = attributes_of(bound);
  if (!attributes.empty()) request.keys.add("dynamodb:Attributes", std::move(attributes));
  if (statement.reads()) {
    add_plan_keys(context, bound, request.keys);
  } else if (resource.table.table) {
    add_written_key(bound, resource.table.schema(), request.keys);
  }
  return context.access->check(context, request);
}

}  // namespace dinette::dynamodb::partiql
