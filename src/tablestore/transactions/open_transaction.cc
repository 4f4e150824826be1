#include "tablestore/transactions/open_transaction.h"

#include <array>
#include <chrono>
#include <cstdio>

#include "dinette/base/crc32.h"

#include "tablestore/api/limits.h"
#include "tablestore/api/refusals.h"
#include "tablestore/rows/key_checks.h"
#include "tablestore/rows/row_key.h"
#include "tablestore/rows/row_record.h"
#include "tablestore/rows/row_table.h"

namespace dinette::tablestore {
namespace {

/// Ids end with a checksum, by which an id of a transaction that has ended is known to be one
/// (tablestore/transactions.md section 4).
constexpr std::size_t checksum_digits = 8;

std::string checksum_of(std::string_view text) {
  std::array<char, checksum_digits + 1> digits{};
  std::snprintf(digits.data(), digits.size(), "%08x", static_cast<unsigned>(base::crc32(text)));
  return digits.data();
}

std::string new_id(const Context& context) {
  std::string id = context.store.ids().uuid();
  return id + '-' + checksum_of(id);
}

bool is_id(std::string_view id) {
  if (id.size() <= checksum_digits + 1) return false;
  const std::string_view random = id.substr(0, id.size() - checksum_digits - 1);
  return id[random.size()] == '-' && id.substr(random.size() + 1) == checksum_of(random);
}

/// Returns the row as the transaction sees it. The texts are views of what `held` holds on to.
Answer<VisibleRow> read_before(const Context& context, const LocalTransaction& transaction,
                               const OpenTable& table, std::string_view row_key, HeldCells& held) {
  const ReadTarget target{table.table, store::Area::rows(), {}};
  VisibleRow before;
  DINETTE_TABLESTORE_STORED(before.exists, read_cells(context, target, row_key, RowSelection(),
                                                      &transaction.rows, before.cells, held));
  return before;
}

}  // namespace

Answer<std::string> begin_transaction(const Context& context, std::string_view table_name,
                                      const PrimaryKey& key) {
  DINETTE_CHECK(check_key(key, KeyUse::read, limits::primary_key_columns));
  if (key.size() != 1) return refuse::transaction_key_too_long();
  DINETTE_TRY(OpenTable table, open_to_write(context, table_name));
  const TableMeta& meta = table.meta();
  if (!meta.local_transactions || meta.auto_increment_column()) return refuse::transactions_are_off();
  DINETTE_CHECK(check_key_fits(key, std::span(meta.key).first(1)));
  const Value& partition_key = key.front().value;
  auto transaction = std::make_shared<LocalTransaction>();
  transaction->id = new_id(context);
  transaction->table_name = table_name;
  transaction->partition = {table.table->id, encode_partition(partition_key)};
  transaction->partition_text = text_of(partition_key);
  transaction->ends = context.now + std::chrono::seconds(limits::transaction_seconds);
  std::string id = transaction->id;
  switch (LocalTransactions::of(context.world).begin(transaction, context.now)) {
    case LocalTransactions::Begun::yes:
      return id;
    case LocalTransactions::Begun::busy:
      return must_wait();
    case LocalTransactions::Begun::locked:
      break;
  }
  return refuse::row_is_locked();
}

Answer<OpenTransaction> take_transaction(const Context& context, std::string_view id) {
  if (!is_id(id)) return refuse::invalid_transaction_id();
  LocalTransactions& all = LocalTransactions::of(context.world);
  bool busy = false;
  auto taken = all.take(id, context.now, busy);
  if (busy) return refuse::transaction_is_busy();
  if (!taken) return refuse::no_such_transaction();
  return OpenTransaction(all, std::move(taken));
}

Answer<std::optional<OpenTransaction>> take_transaction(const Context& context,
                                                        const std::optional<std::string_view>& id) {
  if (!id) return std::optional<OpenTransaction>();
  DINETTE_TRY(OpenTransaction taken, take_transaction(context, *id));
  return std::optional<OpenTransaction>(std::move(taken));
}

Answer<void> check_scope(const LocalTransaction& transaction, std::string_view table_name,
                         store::TableId table_id, const Value& partition_key) {
  if (table_name != transaction.table_name) return refuse::table_out_of_transaction_scope(table_name);
  if (table_id != transaction.partition.first) return refuse::no_such_transaction();
  // INF_MIN and INF_MAX are encoded as an empty key is.
  const bool is_within =
      !partition_key.is_infinite() && encode_partition(partition_key) == transaction.partition.second;
  if (is_within) return {};
  return refuse::out_of_transaction_scope(transaction.partition_text, text_of(partition_key));
}

Answer<WrittenRow> write_in(const Context& context, LocalTransaction& transaction, const OpenTable& table,
                            const RowWrite& write) {
  DINETTE_CHECK(check_scope(transaction, table.meta().name, table.table->id, write.row.key.front().value));
  const std::size_t bytes = data_size(write.row);
  if (transaction.bytes + bytes > limits::transaction_bytes) return refuse::transaction_too_large();
  std::string row_key = encode_key(write.row.key);
  HeldCells held;
  DINETTE_TRY(const VisibleRow before, read_before(context, transaction, table, row_key, held));
  const Visibility visibility = Visibility::of(table.meta().options, context.now);
  DINETTE_TRY(RowAfter after, apply(write, before, visibility, version_at(context.now)));
  if (const auto& stream = table.meta().stream) {
    transaction.records.push_back(
        record_of(write, write.row.key, after.incremented, before, *stream, version_at(context.now)));
    transaction.records.back().index = static_cast<std::uint32_t>(transaction.records.size() - 1);
  }
  transaction.rows.insert_or_assign(std::move(row_key),
                                    after.row.exists ? pack(after.row.cells) : kv::Value());
  transaction.bytes += bytes;
  return WrittenRow{write.row.key, std::move(after.incremented)};
}

Answer<void> commit(const Context& context, OpenTransaction transaction) {
  while (!transaction->rows.empty()) {
    DINETTE_TRY(const OpenTable table, open_to_write(context, transaction->table_name));
    if (table.table->id != transaction->partition.first) return refuse::no_such_transaction();
    DINETTE_TRY(const bool written, write_pending(context, table, transaction->rows, transaction->records));
    if (written) break;
  }
  transaction.end();
  return {};
}

}  // namespace dinette::tablestore
