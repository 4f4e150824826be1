#pragma once

#include <memory>
#include <optional>

#include "dynamodb/api/enums.h"
#include "dynamodb/codec/inputs.h"
#include "dynamodb/partiql/bound.h"
#include "dynamodb/request/charge.h"
#include "dynamodb/request/context.h"
#include "dynamodb/tables/open_table.h"
#include "dynamodb/writes/item_action.h"
#include "dynamodb/writes/item_update.h"
#include "dynamodb/writes/write_item.h"

namespace dinette::dynamodb::partiql {

using OnFailure = api::ReturnValuesOnConditionCheckFailure;

/// An INSERT, UPDATE, DELETE or EXISTS, ready for one version of a table.
class Write {
 public:
  /// All that is referred to must outlive it. Refuses what cannot be written whatever is stored.
  static Answer<std::unique_ptr<Write>> make(const Bound& bound, const OpenTable& table,
                                             OnFailure on_failure);

  Write(const Write&) = delete;
  Write& operator=(const Write&) = delete;

  ItemAction& action() { return *action_; }
  /// The same for the caller to keep; this must outlive it.
  std::unique_ptr<ItemAction> take_action() { return std::move(action_); }

  /// Returns what RETURNING asks for, nothing instead of none, after the action was executed.
  Answer<std::optional<codec::ItemText>> returned(WrittenItem& written) const;

 private:
  explicit Write(const Bound& bound) : bound_(bound) {}

  Answer<void> insert(const OpenTable& table, OnFailure on_failure);
  Answer<void> update(const OpenTable& table, OnFailure on_failure);
  Answer<void> erase(const OpenTable& table, OnFailure on_failure);
  Answer<void> check(const OpenTable& table, OnFailure on_failure);
  /// The key that WHERE names, and the rest of WHERE.
  Answer<void> read_where(const TableSchema& schema);

  const Bound& bound_;
  model::Item key_;
  ItemCondition condition_;
  ItemUpdate update_;
  std::unique_ptr<ItemAction> action_;
};

struct WriteOutcome {
  std::optional<codec::ItemText> returned;
  Charge charge;
};

/// Carries out an INSERT, UPDATE or DELETE (docs/service/partiql.md section 4). One of several has a
/// deadline, and adds its cost to `work`, also if it fails.
Answer<WriteOutcome> write(const Context& context, const Bound& bound, OnFailure on_failure,
                           std::optional<kv::Deadline> deadline = {}, model::Work* work = nullptr);

}  // namespace dinette::dynamodb::partiql
