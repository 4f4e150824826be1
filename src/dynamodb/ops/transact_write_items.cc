#include "dynamodb/api/transact_write_items.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dynamodb/api/condition_check.h"
#include "dynamodb/api/delete_.h"
#include "dynamodb/api/limits.h"
#include "dynamodb/api/put.h"
#include "dynamodb/api/transact_write_item.h"
#include "dynamodb/api/update.h"
#include "dynamodb/codec/record.h"
#include "dynamodb/items/item_key.h"
#include "dynamodb/items/key_path_checks.h"
#include "dynamodb/request/request_checks.h"
#include "dynamodb/request/request_digest.h"
#include "dynamodb/request/request_expressions.h"
#include "dynamodb/writes/actions/check_action.h"
#include "dynamodb/writes/actions/delete_action.h"
#include "dynamodb/writes/actions/put_action.h"
#include "dynamodb/writes/actions/update_action.h"
#include "dynamodb/writes/item_update.h"
#include "dynamodb/writes/key_update_checks.h"
#include "dynamodb/writes/transactions/transaction.h"
#include "dynamodb/writes/transactions/transaction_output.h"
#include "dynamodb/writes/write_condition.h"

// Order of the steps: docs/service/transactions.md section 4. Each is taken for all actions before the next.
// What is not of the model has no envelope.
namespace dinette::dynamodb::ops {
namespace {

/// The expressions of one action.
struct ActionStatement {
  ItemUpdate update;
  UpdateAction::Limited limited = UpdateAction::Limited::item;
  ItemCondition condition;
};

/// Calls `visit` with the one member that an action has.
template <class Visit>
auto visit_action(const api::TransactWriteItem& item, Visit visit) {
  if (item.put) return visit(*item.put);
  if (item.update) return visit(*item.update);
  if (item.delete_) return visit(*item.delete_);
  return visit(*item.condition_check);
}

Answer<void> check_has_one_member(const Context& context, const api::TransactWriteItem& item) {
  const int members = int{item.put.has_value()} + int{item.update.has_value()} +
                      int{item.delete_.has_value()} + int{item.condition_check.has_value()};
  if (members == 0 && context.reading == model::Generation::current) {
    return validation(Envelope::around,
                      "Value '' at 'transactItems' failed to satisfy constraint: TransactWriteRequest should "
                      "contain Delete or Put or Update or ConditionCheck");
  }
  if (members == 0) {
    return validation("Invalid Request: TransactWriteRequest should contain Delete or Put or Update request");
  }
  if (members > 1) return validation("TransactItems can only contain one of Check, Put, Update or Delete");
  return {};
}

/// Parses and binds the expressions of one action.
template <class Action>
Answer<ActionStatement> statement_of(const Context& context, const Action& action) {
  constexpr bool updates = std::is_same_v<Action, api::Update>;
  ActionStatement statement;
  RequestExpressions expressions(context, action);
  DINETTE_CHECK(expressions.check_families(families_of(action)));
  DINETTE_CHECK(expressions.check_typed({problem_of(action.expression_attribute_values)}));
  if constexpr (updates) {
    DINETTE_TRY(statement.update, expressions.update<ItemUpdate>(action.update_expression));
    // docs/service/README.md, regional split 7.
    if (context.reading == model::Generation::current) statement.limited = UpdateAction::Limited::statement;
  }
  DINETTE_TRY(statement.condition,
              expressions.condition<ItemCondition>(action.condition_expression, expr::SizeTail::printed));
  DINETTE_CHECK(expressions.check_all_used());
  return statement;
}

/// Checks everything of an action that does not depend on the table. An item is checked before the
/// expressions, a key after them.
template <class Action>
Answer<ActionStatement> check_action(const Context& context, const Action& action) {
  if constexpr (std::is_same_v<Action, api::Put>)
    DINETTE_CHECK(check_problem(context.envelope, action.item.problem));
  DINETTE_TRY(ActionStatement statement, statement_of(context, action));
  if constexpr (!std::is_same_v<Action, api::Put>)
    DINETTE_CHECK(check_problem(context.envelope, action.key.problem));
  DINETTE_CHECK(check_problem(context.envelope, problem_of(action.expression_attribute_values)));
  return statement;
}

std::size_t size_of(const ExpressionValues& values) {
  std::size_t size = 0;
  if (!values) return size;
  for (const auto& [name, value] : values->entries) size += model::size_in_bytes(value);
  return size;
}

/// The data of a request, and not of the items that it changes, count (docs/service/transactions.md section
/// 2).
Answer<void> check_payload(const api::TransactWriteItemsInput& input) {
  std::size_t size = 0;
  for (const api::TransactWriteItem& item : input.transact_items) {
    size += visit_action(item, [](const auto& action) {
      const std::size_t values = size_of(action.expression_attribute_values);
      if constexpr (requires { action.item; })
        return values + codec::record_size(action.item.record.view());
      else
        return values + model::size_in_bytes(action.key.attributes);
    });
  }
  if (size <= model::limits::transaction_bytes) return {};
  const std::string sentence = "Transaction payload size cannot exceed 4MB. Payload Size: ";
  return validation(sentence + ": " + sentence + std::to_string(size));
}

Answer<std::vector<ActionStatement>> check(const Context& context,
                                           const api::TransactWriteItemsInput& input) {
  std::vector<ActionStatement> statements;
  for (const api::TransactWriteItem& item : input.transact_items)
    DINETTE_CHECK(check_has_one_member(context, item));
  for (const api::TransactWriteItem& item : input.transact_items) {
    DINETTE_TRY(ActionStatement statement,
                visit_action(item, [&](const auto& action) { return check_action(context, action); }));
    statements.push_back(std::move(statement));
  }
  DINETTE_CHECK(check_payload(input));
  return statements;
}

using NewAction = Answer<std::unique_ptr<ItemAction>>;

NewAction action_of(const TableSchema& schema, const api::Put& put, const ActionStatement&,
                    ActionCondition condition) {
  const kv::Value& record = put.item.record;
  DINETTE_STORED(model::Item known,
                 codec::read_attributes(record.view(), schema.key_and_indexed_attributes()));
  DINETTE_CHECK(check_key_of_item(schema, known));
  return std::unique_ptr<ItemAction>(
      std::make_unique<PutAction>(schema, record, std::move(known), condition));
}

NewAction action_of(const TableSchema& schema, const api::Update& update, const ActionStatement& statement,
                    ActionCondition condition) {
  DINETTE_CHECK(check_key(schema, update.key.attributes));
  DINETTE_CHECK(check_key_paths(schema, statement.update.reached_into()));
  DINETTE_CHECK(check_leaves_key_alone(schema, statement.update.attributes()));
  return std::unique_ptr<ItemAction>(std::make_unique<UpdateAction>(
      schema, update.key.attributes, statement.update, condition, Envelope::none, statement.limited));
}

NewAction action_of(const TableSchema& schema, const api::Delete& erase, const ActionStatement&,
                    ActionCondition condition) {
  DINETTE_CHECK(check_key(schema, erase.key.attributes));
  return std::unique_ptr<ItemAction>(std::make_unique<DeleteAction>(schema, erase.key.attributes, condition));
}

NewAction action_of(const TableSchema& schema, const api::ConditionCheck& check, const ActionStatement&,
                    ActionCondition condition) {
  DINETTE_CHECK(check_key(schema, check.key.attributes));
  return std::unique_ptr<ItemAction>(std::make_unique<CheckAction>(schema, check.key.attributes, condition));
}

NewAction checked_action(const TableSchema& schema, const api::TransactWriteItem& item,
                         const ActionStatement& statement) {
  DINETTE_TRY(auto action, visit_action(item, [&](const auto& member) {
                return action_of(schema, member, statement,
                                 {&statement.condition, member.return_values_on_condition_check_failure});
              }));
  DINETTE_CHECK(check_key_paths(schema, statement.condition.reached_into()));
  DINETTE_CHECK(action->check(schema));
  return action;
}

/// Opens the tables and makes the actions. Notes what is wrong with one of them, unless the whole request is
/// refused for it.
Answer<std::vector<TransactionAction>> open(const Context& context, const api::TransactWriteItemsInput& input,
                                            const std::vector<ActionStatement>& statements) {
  std::vector<TransactionAction> actions;
  for (const api::TransactWriteItem& item : input.transact_items) {
    const std::string_view name =
        visit_action(item, [](const auto& action) { return std::string_view(action.table_name); });
    DINETTE_TRY(OpenTable table, open_to_write(context, name));
    actions.push_back({name, std::move(table), nullptr});
  }
  for (std::size_t i = 0; i < actions.size(); ++i) {
    NewAction action = checked_action(actions[i].table.schema(), input.transact_items[i], statements[i]);
    if (action)
      actions[i].action = std::move(action).value();
    else if (action.error().of_request)
      return base::Failure{std::move(action).error()};
    else
      actions[i].fault = std::move(action).error();
  }
  DINETTE_CHECK(check_each_item_once(actions));
  return actions;
}

/// Returns the digest that is equal for equal requests with a token (docs/service/transactions.md section 6).
base::Sha256Digest digest_of(const api::TransactWriteItemsInput& input) {
  RequestDigest digest("TransactWriteItems");
  for (const api::TransactWriteItem& item : input.transact_items) {
    digest.add(item.put ? "Put" : item.update ? "Update" : item.delete_ ? "Delete" : "ConditionCheck");
    visit_action(item, [&](const auto& action) {
      digest.add(action.table_name);
      if constexpr (requires { action.item; })
        digest.add(codec::record_text(action.item.record.view()));
      else
        digest.add(action.key.attributes);
      if constexpr (requires { action.update_expression; }) digest.add(action.update_expression);
      digest.add_optional(action.condition_expression);
      digest.add(action.expression_attribute_names);
      digest.add(action.expression_attribute_values);
      digest.add_enum(action.return_values_on_condition_check_failure);
    });
  }
  digest.add_enum(input.return_consumed_capacity);
  digest.add_enum(input.return_item_collection_metrics);
  return digest.finish();
}

std::optional<TransactionToken> token_of(const Context& context, const api::TransactWriteItemsInput& input) {
  if (!input.client_request_token) return std::nullopt;
  return TransactionToken(context, *input.client_request_token, digest_of(input));
}

}  // namespace

Answer<api::TransactWriteItemsOutput> transact_write_items(const Context& context,
                                                           api::TransactWriteItemsInput&& input) {
  DINETTE_TRY(const std::vector<ActionStatement> statements, check(context, input));
  const std::optional<TransactionToken> token = token_of(context, input);
  for (;;) {
    DINETTE_TRY(const std::vector<TransactionAction> actions, open(context, input, statements));
    DINETTE_TRY(const std::optional<WrittenTransaction> written,
                write_transaction(context, actions, token ? &*token : nullptr));
    if (!written) continue;
    api::TransactWriteItemsOutput output;
    output.consumed_capacity =
        transaction_capacity(context, input.return_consumed_capacity, actions, *written);
    DINETTE_TRY(output.item_collection_metrics,
                transaction_metrics(context, input.return_item_collection_metrics, actions));
    return output;
  }
}

}  // namespace dinette::dynamodb::ops
