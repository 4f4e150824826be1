#include "dynamodb/api/limits.h"
#include "dynamodb/api/operations.h"
#include "dynamodb/codec/item_text.h"
#include "dynamodb/model/value_checks.h"
#include "dynamodb/ops/consumed_capacity.h"
#include "dynamodb/ops/index_key_checks.h"
#include "dynamodb/ops/item_key.h"
#include "dynamodb/ops/item_update.h"
#include "dynamodb/ops/key_path_checks.h"
#include "dynamodb/ops/write_checks.h"
#include "dynamodb/ops/write_to_table.h"

// Order of the steps: facts, expressions.md section 7 "Order".
namespace dinette::dynamodb::ops {
namespace {

struct Statement {
  ItemUpdate update;
  ItemCondition condition;
};

Answer<Statement> parse(const Context& context, Envelope envelope, api::UpdateItemInput& input) {
  Statement statement;
  auto placeholders = placeholders_of(input.expression_attribute_names, input.expression_attribute_values);
  if (input.update_expression) {
    DINETTE_TRY(statement.update,
                expression_update(context, envelope, *input.update_expression, placeholders));
  }
  if (input.condition_expression) {
    DINETTE_TRY(statement.condition,
                expression_condition(context, envelope, *input.condition_expression, placeholders));
  }
  DINETTE_CHECK(check_all_used(envelope, placeholders));
  return statement;
}

Answer<void> read_legacy(Envelope envelope, api::UpdateItemInput& input, Statement& statement) {
  DINETTE_TRY(ItemCondition expected,
              expected_condition(envelope, input.expected, input.conditional_operator));
  if (!input.condition_expression) statement.condition = std::move(expected);
  if (input.attribute_updates) {
    DINETTE_TRY(statement.update, attribute_updates(envelope, input.attribute_updates));
  }
  return {};
}

/// Everything that can be wrong with the request whatever the table is.
Answer<Statement> check(const Context& context, api::UpdateItemInput& input) {
  const Envelope envelope = write_envelope(context);
  DINETTE_CHECK(ExpressionFamilies()
                    .legacy("AttributeUpdates", input.attribute_updates.has_value())
                    .legacy("Expected", input.expected.has_value())
                    .legacy("ConditionalOperator", input.conditional_operator.has_value())
                    .expression("UpdateExpression", input.update_expression.has_value())
                    .expression("ConditionExpression", input.condition_expression.has_value())
                    .check(envelope, input.expression_attribute_names, input.expression_attribute_values));
  DINETTE_TRY(Statement statement, parse(context, envelope, input));
  DINETTE_CHECK(read_legacy(envelope, input, statement));
  DINETTE_CHECK(check_problem(envelope, input.key.problem));
  DINETTE_CHECK(check_problem(envelope, problem_of(input.expression_attribute_values)));
  DINETTE_CHECK(check_problem(envelope, problem_of(input.attribute_updates)));
  DINETTE_CHECK(check_problem(envelope, problem_of(input.expected)));
  return statement;
}

Answer<void> check_leaves_key_alone(const TableSchema& schema,
                                    const std::vector<std::string_view>& attributes) {
  for (const std::string_view attribute : attributes) {
    if (!schema.is_key(attribute)) continue;
    return invalid("Cannot update attribute " + std::string(attribute) +
                   ". This attribute is part of the key");
  }
  return {};
}

/// What the update made of one stored item.
struct Written {
  StoredItem old;
  std::optional<model::Item> item;  ///< of the attributes of interest alone, if there was an item
  std::size_t size = 0;             ///< of the whole item
};

/// Steps 12 to 14 on the item as it is now.
Answer<Written> apply(const Envelope envelope, const TableSchema& schema, const api::UpdateItemInput& input,
                      const Statement& statement, StoredItem old) {
  Written written{.old = std::move(old), .item = {}, .size = 0};
  if (!statement.update.within_statement_limit(written.old.item()))
    return validation(std::string(model::update_too_large));
  if (!statement.condition.holds(written.old.item())) {
    return base::Failure{condition_failed(input.return_values_on_condition_check_failure, written.old)};
  }
  auto item = statement.update.apply(written.old.item(), input.key.attributes);
  if (!item) return validation(envelope, item.error());
  written.item = std::move(item).value();
  if (!written.item) return written;
  // A new item's key is new, too.
  const auto* changed = written.old.exists() ? &statement.update.attributes() : nullptr;
  const model::Item& before = written.old.exists() ? *written.old.item() : input.key.attributes;
  const auto taken = [&](std::string_view attribute) {
    return statement.update.takes_from_item(attribute, before);
  };
  DINETTE_CHECK(check_updated_index_keys(schema, *written.item, changed, taken));
  written.size = model::size_in_bytes(*written.item);
  if (written.old.exists()) written.size += written.old.size() - model::size_in_bytes(*written.old.item());
  if (size_with_local_entries(schema, *written.item, written.size) > model::limits::item_bytes)
    return validation(std::string(model::update_too_large));
  return written;
}

kv::Value new_record(const Written& written, const AttributeNames& changed) {
  const model::Item& item = *written.item;
  if (!written.old.exists()) return codec::make_record(item, written.size);
  return codec::replace_attributes(written.old.record(), changed, item, written.size);
}

ItemWrite plan(const TableSchema& schema, const ItemUpdate& update, Written& written) {
  ItemImage after;
  if (written.item) after = {new_record(written, update.changed()), &*written.item};
  return plan_write(schema, written.old.image(schema), after);
}

/// The attributes to return, nothing instead of none (facts: items.md section 1).
std::optional<codec::ItemText> returned(api::ReturnValue wanted, const ItemUpdate& update, Written& written,
                                        const kv::Value& record) {
  const auto unless_empty = [](const model::Item& item) {
    return item.empty() ? std::nullopt : std::optional(codec::to_text(item));
  };
  switch (wanted) {
    case api::ReturnValue::none:
      break;
    case api::ReturnValue::all_old:
      if (written.old.exists()) return written.old.text();
      break;
    case api::ReturnValue::updated_old:
      if (written.old.exists()) return unless_empty(update.touched(*written.old.item()));
      break;
    case api::ReturnValue::all_new:
      if (record) return codec::copy_of(codec::record_text(record.view()));
      break;
    case api::ReturnValue::updated_new:
      if (written.item) return unless_empty(update.touched(*written.item));
      break;
  }
  return std::nullopt;
}

/// Nothing when the table was altered meanwhile.
Answer<std::optional<api::UpdateItemOutput>> update(const Context& context, const OpenTable& table,
                                                    const api::UpdateItemInput& input,
                                                    const Statement& statement) {
  const TableSchema& schema = table.schema();
  DINETTE_CHECK(check_key(schema, input.key.attributes));
  DINETTE_CHECK(check_key_paths(schema, statement.update.reached_into()));
  DINETTE_CHECK(check_key_paths(schema, statement.condition.reached_into()));
  DINETTE_CHECK(check_leaves_key_alone(schema, statement.update.attributes()));

  const AttributeNames interest = united(
      united(statement.update.interest(), statement.condition.attributes()), schema.indexed_attributes());
  Answer<Written> written = Written();
  ItemWrite write;
  kv::Value record;
  const auto decide = [&](const kv::Value* current) -> store::RowDecision {
    written = apply(write_envelope(context), schema, input, statement, StoredItem(current, interest));
    if (!written) return std::nullopt;
    write = plan(schema, statement.update, *written);
    record = write.change.value;
    return std::move(write.change);
  };
  DINETTE_STORED(const store::WriteOutcome outcome,
                 context.store.write_row(*table.table, encode_key(schema, input.key.attributes), decide));
  if (outcome == store::WriteOutcome::table_changed) return std::optional<api::UpdateItemOutput>();
  if (!written) return base::Failure{std::move(written).error()};
  if (outcome == store::WriteOutcome::partition_full) return collection_full();

  api::UpdateItemOutput output;
  output.attributes =
      returned(input.return_values.value_or(api::ReturnValue::none), statement.update, *written, record);
  output.consumed_capacity = write_capacity(input.return_consumed_capacity, input.table_name, write);
  DINETTE_TRY(
      output.item_collection_metrics,
      item_collection_metrics(context, input.return_item_collection_metrics, table, input.key.attributes));
  return std::optional(std::move(output));
}

}  // namespace

Answer<api::UpdateItemOutput> update_item(const Context& context, api::UpdateItemInput&& input) {
  DINETTE_TRY(const Statement statement, check(context, input));
  return write_to_table(context, input.table_name,
                        [&](const OpenTable& table) { return update(context, table, input, statement); });
}

}  // namespace dinette::dynamodb::ops
