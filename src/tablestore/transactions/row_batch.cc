#include "tablestore/transactions/row_batch.h"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <map>
#include <string>
#include <utility>

#include "tablestore/api/refusals.h"
#include "tablestore/rows/batch_replies.h"
#include "tablestore/rows/local_transactions.h"
#include "tablestore/rows/row_key.h"

namespace dinette::tablestore {
namespace {

bool has_placeholder(const RowWrite& write) {
  return std::ranges::any_of(write.row.key, [](const KeyColumn& column) {
    return column.value.type() == ValueType::auto_increment;
  });
}

/// Refuses the writes of a row that is there several times, if they depend on what is there. In a table with
/// indexes only the first one is carried out.
class RepeatedRows {
 public:
  /// Counts the writes that fit the table: the others are of no row of it.
  void count(const OpenTable& table, const TableWrites& writes, base::TimePoint now) {
    for (const RowWrite& write : writes.writes)
      if (!has_placeholder(write) && check_fits(write, table.meta(), now))
        ++rows_[place_of(table, write)].writes;
  }

  /// To be called once per write that fits its table, in their order, after all have been counted.
  Answer<void> check(const OpenTable& table, const RowWrite& write) {
    if (has_placeholder(write)) return {};
    Row& row = rows_[place_of(table, write)];
    if (row.writes == 1) return {};
    if (row.is_written && !table.meta().indexes.empty()) return refuse::repeated_row_with_index();
    if (write.expectation != api::RowExistenceExpectation::ignore)
      return refuse::repeated_row_with_expectation();
    if (write.condition) return refuse::repeated_row_with_condition();
    row.is_written = true;
    return {};
  }

 private:
  struct Row {
    std::size_t writes = 0;
    bool is_written = false;
  };
  using Place = std::pair<store::TableId, std::string>;

  static Place place_of(const OpenTable& table, const RowWrite& write) {
    return {table.table->id, encode_key(write.row.key)};
  }

  std::map<Place, Row> rows_;
};

/// The writes of a batch, of which each fails or succeeds by itself, with the tables as they are now.
class SeparateWrites {
 public:
  SeparateWrites(const Context& context, std::span<const TableWrites> batch)
      : context_(context), batch_(batch) {}

  /// Returns nothing if a table has been altered.
  Answer<std::optional<std::vector<RowResponses>>> run() {
    DINETTE_CHECK(open_tables());
    for (std::size_t i = 0; i < batch_.size(); ++i)
      for (const RowWrite& write : batch_[i].writes) admit(tables_[i], write);
    DINETTE_TRY(auto written, write_rows_alone(context_, admitted_));
    if (!written) return std::optional<std::vector<RowResponses>>();
    return std::optional(responses(*written));
  }

 private:
  Answer<void> open_tables() {
    for (const TableWrites& writes : batch_) {
      auto table = open_to_write(context_, writes.table, MissingTable::fails_rows);
      if (table)
        repeated_.count(*table, writes, context_.now);
      else if (table.error().code != api::ErrorCode::object_not_exist)
        return std::move(table).failure();
      tables_.push_back(std::move(table));
    }
    return {};
  }

  /// Adds a write to those that are carried out, or notes why it is not.
  void admit(const Answer<OpenTable>& table, const RowWrite& write) {
    auto pass = check(table, write);
    refusals_.push_back(pass ? std::optional<ApiError>() : pass.error());
    if (!pass) return;
    passes_.push_back(*std::move(pass));
    admitted_.push_back({*table, write});
  }

  Answer<LocalTransactions::Pass> check(const Answer<OpenTable>& table, const RowWrite& write) {
    if (!table) return base::Failure{table.error()};
    DINETTE_CHECK(check_fits(write, table->meta(), context_.now));
    DINETTE_CHECK(repeated_.check(*table, write));
    return pass_to_write(context_, *table->table, write.row.key.front().value);
  }

  std::vector<RowResponses> responses(const std::vector<Answer<WrittenRow>>& written) const {
    std::vector<RowResponses> all;
    auto refusal = refusals_.begin();
    auto outcome = written.begin();
    for (std::size_t i = 0; i < batch_.size(); ++i) {
      RowResponses& rows = all.emplace_back();
      for (const RowWrite& write : batch_[i].writes) {
        const auto& refused = *refusal++;
        rows.push_back(refused ? not_written(*refused)
                               : response_to(write, *outcome++, tables_[i]->meta().options));
      }
    }
    return all;
  }

  static api::RowInBatchWriteRowResponse response_to(const RowWrite& write, const Answer<WrittenRow>& outcome,
                                                     const TableOptions& options) {
    return outcome ? written(reply_to(write, *outcome, options)) : not_written(outcome.error());
  }

  const Context& context_;
  const std::span<const TableWrites> batch_;
  std::deque<Answer<OpenTable>> tables_;  // which stay where they are; errors of missing ones
  RepeatedRows repeated_;
  std::vector<std::optional<ApiError>> refusals_;  ///< of all writes, those that are carried out without one
  std::vector<WriteInTable> admitted_;
  std::vector<LocalTransactions::Pass> passes_;
};

Answer<RowReply> write_in_transaction(const Context& context, const OpenTable& table, const RowWrite& write,
                                      LocalTransaction& transaction, RepeatedRows& repeated) {
  DINETTE_CHECK(check_fits(write, table.meta(), context.now));
  DINETTE_CHECK(repeated.check(table, write));
  DINETTE_TRY(const WrittenRow row, write_in(context, transaction, table, write));
  return reply_to(write, row, table.meta().options);
}

Answer<void> check_together(const Context& context, const OpenTable& table, const TableWrites& writes) {
  const std::string partition = encode_partition(writes.writes.front().row.key.front().value);
  RepeatedRows repeated;
  repeated.count(table, writes, context.now);
  for (const RowWrite& write : writes.writes) {
    DINETTE_CHECK(check_fits(write, table.meta(), context.now));
    if (encode_partition(write.row.key.front().value) != partition)
      return refuse::out_of_atomic_scope(text_of(writes.writes.front().row.key.front().value),
                                         text_of(write.row.key.front().value));
    DINETTE_CHECK(repeated.check(table, write));
  }
  return {};
}

}  // namespace

Answer<std::vector<RowResponses>> write_each(const Context& context, std::span<const TableWrites> batch) {
  for (;;) {
    DINETTE_TRY(auto responses, SeparateWrites(context, batch).run());
    if (responses) return *std::move(responses);
  }
}

Answer<RowResponses> write_in(const Context& context, const TableWrites& writes,
                              LocalTransaction& transaction) {
  DINETTE_TRY(const OpenTable table, open_to_write(context, writes.table));
  RepeatedRows repeated;
  repeated.count(table, writes, context.now);
  RowResponses responses;
  for (const RowWrite& write : writes.writes) {
    auto reply = write_in_transaction(context, table, write, transaction, repeated);
    responses.push_back(reply ? written(*std::move(reply)) : not_written(reply.error()));
  }
  return responses;
}

Answer<RowResponses> write_together(const Context& context, const TableWrites& writes) {
  const auto attempt = [&](const OpenTable& table) -> Answer<std::optional<RowResponses>> {
    DINETTE_CHECK(check_together(context, table, writes));
    DINETTE_TRY(const auto pass,
                pass_to_write(context, *table.table, writes.writes.front().row.key.front().value));
    DINETTE_TRY(const auto rows, write_rows(context, table, writes.writes));
    if (!rows) return std::optional<RowResponses>();
    RowResponses responses;
    for (std::size_t i = 0; i < rows->size(); ++i)
      responses.push_back(written(reply_to(writes.writes[i], (*rows)[i], table.meta().options)));
    return std::optional(std::move(responses));
  };
  DINETTE_CHECK(open_to_write(context, writes.table));
  auto responses = write_to_table(context, writes.table, attempt);
  if (responses) return responses;
  if (responses.error().must_wait) return responses;
  return RowResponses(writes.writes.size(), not_written(responses.error()));
}

}  // namespace dinette::tablestore
