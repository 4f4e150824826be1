#include "tablestore/api/batch_get_row.h"

#include <utility>
#include <vector>

#include "tablestore/api/limits.h"
#include "tablestore/api/refusals.h"
#include "tablestore/request/names.h"
#include "tablestore/rows/batch_replies.h"
#include "tablestore/rows/read_request.h"

// tablestore/batch.md
namespace dinette::tablestore::ops {
namespace {

/// The rows that a batch reads of one table.
struct TableRead {
  std::vector<PrimaryKey> keys;
  RowSelection selection;
};

Answer<void> check_number_of_rows(const api::BatchGetRowRequest& request) {
  if (request.tables.empty()) return refuse::no_row_in_batch_get();
  std::size_t rows = 0;
  for (const auto& table : request.tables) rows += table.primary_key.size();
  if (rows > limits::batch_get_rows) return refuse::too_many_rows(limits::batch_get_rows);
  return {};
}

/// Checks what fails the whole request.
Answer<TableRead> read_table(const Context& context, const api::TableInBatchGetRowRequest& table) {
  TableRead read;
  for (const std::string_view bytes : table.primary_key) {
    DINETTE_TRY(PrimaryKey key, read_key(bytes, KeyUse::read));
    read.keys.push_back(std::move(key));
  }
  DINETTE_TRY(read.selection, read_selection({table.columns_to_get, table.time_range, table.max_versions,
                                              table.start_column, table.end_column, table.filter, true},
                                             context.switches));
  return read;
}

Answer<api::RowInBatchGetRowResponse> read_one(const Context& context, const ReadTarget& target,
                                               const PrimaryKey& key, const RowSelection& selection) {
  DINETTE_CHECK(check_key_fits(key, target));
  std::size_t bytes = 0;
  api::RowInBatchGetRowResponse row;
  row.is_ok = true;
  DINETTE_TRY(row.row, read_row(context, target, key, selection, nullptr, bytes));
  row.consumed = read_units(bytes);
  return row;
}

Answer<api::TableInBatchGetRowResponse> read_rows(const Context& context, std::string_view name,
                                                  const TableRead& read) {
  api::TableInBatchGetRowResponse table{.table_name = std::string(name)};
  const auto target = open_to_read(context, name, MissingTable::fails_rows);
  if (!target) {
    if (target.error().code != api::ErrorCode::object_not_exist) return base::Failure{target.error()};
    table.rows.assign(read.keys.size(), {.error = error_of(target.error())});
    return table;
  }
  for (const PrimaryKey& key : read.keys) DINETTE_CHECK(check_key_size(key, *target));
  for (const PrimaryKey& key : read.keys) {
    auto row = read_one(context, *target, key, read.selection);
    if (!row && row.error().must_wait) return std::move(row).failure();
    table.rows.push_back(row ? *std::move(row)
                             : api::RowInBatchGetRowResponse{.error = error_of(row.error())});
  }
  return table;
}

}  // namespace

Answer<api::BatchGetRowResponse> batch_get_row(const Context& context, api::BatchGetRowRequest&& request) {
  DINETTE_CHECK(check_number_of_rows(request));
  for (const auto& table : request.tables) DINETTE_CHECK(check_table_name(table.table_name));
  std::vector<TableRead> reads;
  for (const auto& table : request.tables) {
    DINETTE_TRY(TableRead read, read_table(context, table));
    reads.push_back(std::move(read));
  }
  api::BatchGetRowResponse response;
  for (std::size_t i = 0; i < reads.size(); ++i) {
    DINETTE_TRY(auto table, read_rows(context, request.tables[i].table_name, reads[i]));
    response.tables.push_back(std::move(table));
  }
  return response;
}

}  // namespace dinette::tablestore::ops
