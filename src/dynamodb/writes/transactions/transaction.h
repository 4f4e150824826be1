#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "dynamodb/request/context.h"
#include "dynamodb/tables/open_table.h"
#include "dynamodb/writes/item_action.h"
#include "dynamodb/writes/transactions/transaction_token.h"
#include "dynamodb/writes/write_item.h"

namespace dinette::dynamodb {

/// One action of a transaction, on a table that was opened for it.
struct TransactionAction {
  std::string_view table_name;  ///< as the client wrote it
  OpenTable table;
  std::unique_ptr<ItemAction> action;  ///< null if there is a `fault`
  std::optional<ApiError> fault = {};  ///< what is wrong with it whatever is stored
};

/// A transaction that has been executed.
struct WrittenTransaction {
  /// One per action; none if the token says that the same request succeeded before: then nothing was written.
  std::vector<WrittenItem> items;
  /// What each action's item takes to read once, in read units: of the larger one of before and after. It is
  /// the price of a replay.
  std::vector<std::uint32_t> read_units;

  bool replayed() const { return items.empty(); }
};

/// Refuses tables with multi-region strong consistency (docs/service/global-tables.md section 1).
Answer<void> check_may_transact(const OpenTable& table);

/// Refuses two actions on one item, unless there is an action with a fault: that cancels the transaction
/// before (docs/service/transactions.md section 4).
Answer<void> check_each_item_once(std::span<const TransactionAction> actions);

/// Carries out all actions, or none of them if one fails or has a fault: then TransactionCanceledException
/// says which (docs/service/transactions.md sections 4 to 6). No other write of their items comes in between.
/// With a `token`, null for none, the same request is executed once. Returns nothing if a table was altered
/// since it was opened; nothing is done then. The items must differ.
Answer<std::optional<WrittenTransaction>> write_transaction(const Context& context,
                                                            std::span<const TransactionAction> actions,
                                                            const TransactionToken* token);

}  // namespace dinette::dynamodb
