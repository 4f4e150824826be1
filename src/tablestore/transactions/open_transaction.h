#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "tablestore/request/context.h"
#include "tablestore/rows/local_transactions.h"
#include "tablestore/rows/row_write.h"
#include "tablestore/rows/write_rows.h"

/// Local transactions (tablestore/transactions.md): rows are kept in memory until the commit, which writes
/// them all at once.
namespace dinette::tablestore {

/// A transaction that a request works in. No other request can, as long as this lives.
class OpenTransaction {
 public:
  OpenTransaction(LocalTransactions& all, std::shared_ptr<LocalTransaction> taken)
      : all_(&all), taken_(std::move(taken)) {}
  OpenTransaction(OpenTransaction&&) = default;
  OpenTransaction& operator=(OpenTransaction&&) = delete;
  ~OpenTransaction() {
    if (taken_) all_->give_back(*taken_);
  }

  LocalTransaction& operator*() const { return *taken_; }
  LocalTransaction* operator->() const { return taken_.get(); }
  /// Ends it: its id is unknown from here on.
  void end() { all_->end(*std::exchange(taken_, nullptr)); }

 private:
  LocalTransactions* all_;
  std::shared_ptr<LocalTransaction> taken_;
};

/// Begins a transaction on the partition that a key of one column names, and returns its id.
Answer<std::string> begin_transaction(const Context& context, std::string_view table_name,
                                      const PrimaryKey& key);

/// Takes the transaction of that id.
Answer<OpenTransaction> take_transaction(const Context& context, std::string_view id);

/// The same if there is an id; nothing otherwise.
Answer<std::optional<OpenTransaction>> take_transaction(const Context& context,
                                                        const std::optional<std::string_view>& id);

/// Fails unless a row of that table and partition key may be read and written in the transaction, which ends
/// with its table: another one of the same name has another id.
Answer<void> check_scope(const LocalTransaction& transaction, std::string_view table_name,
                         store::TableId table_id, const Value& partition_key);

/// Carries out a write that check_fits() has accepted, to be committed later.
Answer<WrittenRow> write_in(const Context& context, LocalTransaction& transaction, const OpenTable& table,
                            const RowWrite& write);

/// Writes all rows of the transaction, and ends it.
Answer<void> commit(const Context& context, OpenTransaction transaction);

}  // namespace dinette::tablestore
