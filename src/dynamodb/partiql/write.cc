#include "dynamodb/partiql/write.h"

#include <string>
#include <utility>
#include <vector>

#include "dynamodb/codec/record.h"
#include "dynamodb/expr/path_set.h"
#include "dynamodb/items/item_key.h"
#include "dynamodb/items/key_path_checks.h"
#include "dynamodb/model/value_checks.h"
#include "dynamodb/partiql/explain.h"
#include "dynamodb/partiql/statement_key.h"
#include "dynamodb/writes/actions/check_action.h"
#include "dynamodb/writes/actions/delete_action.h"
#include "dynamodb/writes/actions/put_action.h"
#include "dynamodb/writes/actions/update_action.h"
#include "dynamodb/writes/key_update_checks.h"
#include "dynamodb/writes/returned_attributes.h"
#include "dynamodb/writes/write_charge.h"
#include "dynamodb/writes/write_to_table.h"

// docs/service/partiql.md section 4. Messages have no envelope.
namespace dinette::dynamodb::partiql {
namespace {

/// The update of an UPDATE statement; what expressions say of one another has no prefix here.
Answer<ItemUpdate> item_update(const Bound& bound) {
  constexpr std::string_view prefix = "Invalid UpdateExpression: ";
  const expr::ParsedRef& parsed = bound.statement().update;
  auto targets = expr::arrange_targets(parsed, bound.bindings(*parsed));
  if (!targets) {
    std::string message = std::move(targets).error().message;
    return validation(message.starts_with(prefix) ? message.substr(prefix.size()) : message);
  }
  return ItemUpdate(expr::Update(*std::move(targets)));
}

model::Item item_of(const Bound& bound) {
  std::vector<model::Attribute> attributes;
  for (const Member& member : bound.statement().item)
    attributes.push_back({member.name, bound.value(member.constant)});
  return model::Map::from_unsorted(std::move(attributes));
}

/// The attributes of `item` that a write has to know of.
model::Item known_of(const TableSchema& schema, const model::Item& item) {
  std::vector<model::Attribute> known;
  for (const std::string& name : schema.key_and_indexed_attributes()) {
    if (const auto* value = item.find(name)) known.push_back({name, *value});
  }
  return model::Map::from_unsorted(std::move(known));
}

/// The update of a statement says in words of its own that its result nests too deep.
class StatementUpdate final : public UpdateAction {
 public:
  using UpdateAction::UpdateAction;

  Answer<ItemImage> decide(StoredItem& old) override {
    Answer<ItemImage> image = UpdateAction::decide(old);
    if (!image && image.error().message == model::nested_too_deep)
      return validation("Nesting Levels have exceeded supported limits");
    return image;
  }
};

}  // namespace

Answer<std::unique_ptr<Write>> Write::make(const Bound& bound, const OpenTable& table, OnFailure on_failure) {
  std::unique_ptr<Write> write(new Write(bound));
  switch (bound.statement().verb) {
    case Verb::insert:
      DINETTE_CHECK(write->insert(table, on_failure));
      break;
    case Verb::update:
      DINETTE_CHECK(write->update(table, on_failure));
      break;
    case Verb::erase:
      DINETTE_CHECK(write->erase(table, on_failure));
      break;
    case Verb::exists:
      DINETTE_CHECK(write->check(table, on_failure));
      break;
    case Verb::select:
      break;
  }
  return write;
}

Answer<void> Write::insert(const OpenTable& table, OnFailure on_failure) {
  const TableSchema& schema = table.schema();
  const model::Item item = item_of(bound_);
  DINETTE_CHECK(check_key_of_item(schema, item));
  auto put = std::make_unique<PutAction>(schema, codec::make_record(item, model::size_in_bytes(item)),
                                         known_of(schema, item), ActionCondition{nullptr, on_failure},
                                         PutAction::Stored::refused);
  DINETTE_CHECK(put->check(schema));
  action_ = std::move(put);
  return {};
}

Answer<void> Write::update(const OpenTable& table, OnFailure on_failure) {
  const TableSchema& schema = table.schema();
  DINETTE_TRY(update_, item_update(bound_));
  DINETTE_CHECK(read_where(schema));
  DINETTE_CHECK(check_key_paths(schema, update_.reached_into()));
  DINETTE_CHECK(check_leaves_key_alone(schema, update_.attributes()));
  // All of WHERE is the condition: its equalities do not hold for an item that is not there.
  action_ = std::make_unique<StatementUpdate>(schema, key_, update_, ActionCondition{&condition_, on_failure},
                                              Envelope::none);
  return {};
}

Answer<void> Write::erase(const OpenTable& table, OnFailure on_failure) {
  DINETTE_CHECK(read_where(table.schema()));
  action_ = std::make_unique<DeleteAction>(
      table.schema(), key_,
      ActionCondition{.condition = &condition_, .on_failure = on_failure, .of_stored_item = true});
  return {};
}

/// The key in WHERE finds the item; the rest of WHERE must hold, whether or not there is an item.
Answer<void> Write::check(const OpenTable& table, OnFailure on_failure) {
  const TableSchema& schema = table.schema();
  StatementKey key = key_of(bound_, schema, Equality::strict);
  DINETTE_CHECK(check_key(schema, key.values));
  const expr::ParsedRef rest = without_equalities(*bound_.statement().where, key);
  key_ = std::move(key.values);
  condition_ = ItemCondition(expr::Condition(rest, bound_.bindings(*rest)));
  DINETTE_CHECK(check_key_paths(schema, condition_.reached_into()));
  action_ = std::make_unique<CheckAction>(schema, key_, ActionCondition{&condition_, on_failure});
  return {};
}

Answer<void> Write::read_where(const TableSchema& schema) {
  StatementKey key = key_of(bound_, schema, Equality::strict);
  if (key.repeated) {
    return validation("Multiple conditions on same key " + *key.repeated +
                      ". Only single item Update/Insert/Delete are supported");
  }
  if (!key.whole(schema))
    return validation("Where clause does not contain a mandatory equality on all key attributes");
  DINETTE_CHECK(check_key(schema, key.values));
  key_ = std::move(key.values);
  const expr::ParsedRef& where = bound_.statement().where;
  condition_ = ItemCondition(expr::Condition(where, bound_.bindings(*where)));
  return check_key_paths(schema, condition_.reached_into());
}

Answer<std::optional<codec::ItemText>> Write::returned(WrittenItem& written) const {
  const auto wanted = bound_.statement().returning.value_or(api::ReturnValue::none);
  const auto* const update = dynamic_cast<const UpdateAction*>(action_.get());
  return returned_attributes(wanted, update_, update ? update->item() : nullptr, written);
}

Answer<WriteOutcome> write(const Context& context, const Bound& bound, OnFailure on_failure,
                           std::optional<kv::Deadline> deadline, model::Work* work) {
  const auto attempt = [&](const OpenTable& table) -> Answer<std::optional<WriteOutcome>> {
    DINETTE_TRY(const std::unique_ptr<Write> write, Write::make(bound, table, on_failure));
    DINETTE_TRY(std::optional<WrittenItem> written,
                write_item(context, table, write->action(), deadline, work));
    if (!written) return std::optional<WriteOutcome>();
    DINETTE_TRY(auto returned, write->returned(*written));
    WriteOutcome outcome{std::move(returned), charge_of(written->plan)};
    if (context.explanation) {
      explain_write(*context.explanation, bound, table.schema(), write->action(), written->old.exists(),
                    outcome.returned.has_value(), outcome.charge.units());
    }
    return std::optional(std::move(outcome));
  };
  return write_to_table(context, bound.statement().table, attempt);
}

}  // namespace dinette::dynamodb::partiql
