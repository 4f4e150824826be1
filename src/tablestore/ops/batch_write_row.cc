#include "tablestore/api/batch_write_row.h"

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "dinette/base/waiting.h"

#include "tablestore/api/limits.h"
#include "tablestore/api/refusals.h"
#include "tablestore/plainbuffer/row_reader.h"
#include "tablestore/request/names.h"
#include "tablestore/rows/row_table.h"
#include "tablestore/transactions/row_batch.h"

// tablestore/batch.md
namespace dinette::tablestore::ops {
namespace {

Answer<void> check_tables(const api::BatchWriteRowRequest& request) {
  if (request.tables.empty()) return refuse::no_row_in_batch_write();
  std::size_t rows = 0;
  for (const auto& table : request.tables) rows += table.rows.size();
  if (rows > limits::batch_write_rows) return refuse::too_many_rows(limits::batch_write_rows);
  for (const auto& table : request.tables) {
    DINETTE_CHECK(check_table_name(table.table_name));
    if (table.rows.empty()) return refuse::no_operation_for_table(table.table_name);
  }
  return {};
}

/// Decodes all rows, which together may not be too large.
Answer<std::vector<RowMessage>> read_rows(const api::BatchWriteRowRequest& request) {
  std::vector<RowMessage> rows;
  std::size_t size = 0;
  for (const auto& table : request.tables) {
    for (const auto& row : table.rows) {
      DINETTE_TRY(RowMessage message, plainbuffer::decode_row(row.row_change));
      size += data_size(message);
      rows.push_back(std::move(message));
    }
  }
  if (size > limits::batch_write_bytes)
    return refuse::batch_too_large(limits::batch_write_bytes, static_cast<std::int64_t>(size));
  return rows;
}

/// Checks what fails the whole request.
Answer<std::vector<TableWrites>> read_writes(const Context& context,
                                             const api::BatchWriteRowRequest& request) {
  DINETTE_CHECK(check_tables(request));
  DINETTE_TRY(std::vector<RowMessage> rows, read_rows(request));
  std::vector<TableWrites> tables;
  auto row = rows.begin();
  std::uint32_t place = 0;
  for (const auto& table : request.tables) {
    TableWrites& writes = tables.emplace_back(TableWrites{table.table_name, {}});
    for (const auto& sent : table.rows) {
      DINETTE_TRY(RowWrite write, check_row_write(sent.type, std::move(*row++), sent.condition,
                                                  sent.return_content, context.switches));
      write.place = place++;
      writes.writes.push_back(std::move(write));
    }
  }
  return tables;
}

/// Carries out what is done table by table: a batch of a transaction, or one that is atomic.
Answer<std::vector<RowResponses>> write_by_table(const Context& context, std::span<const TableWrites> batch,
                                                 const std::optional<OpenTransaction>& transaction) {
  // What is written stays written, so the batch must not be given up and run again.
  if (!base::may_wait()) return must_wait();
  // A table that is missing fails the whole request.
  for (const TableWrites& writes : batch) DINETTE_CHECK(open_to_write(context, writes.table));
  std::vector<RowResponses> responses;
  for (const TableWrites& writes : batch) {
    DINETTE_TRY(RowResponses rows,
                transaction ? write_in(context, writes, **transaction) : write_together(context, writes));
    responses.push_back(std::move(rows));
  }
  return responses;
}

}  // namespace

Answer<api::BatchWriteRowResponse> batch_write_row(const Context& context,
                                                   api::BatchWriteRowRequest&& request) {
  DINETTE_TRY(const std::vector<TableWrites> batch, read_writes(context, request));
  DINETTE_TRY(const auto transaction, take_transaction(context, request.transaction_id));
  const bool by_table = transaction || request.is_atomic.value_or(false);
  DINETTE_TRY(std::vector<RowResponses> responses,
              by_table ? write_by_table(context, batch, transaction) : write_each(context, batch));
  api::BatchWriteRowResponse response;
  for (std::size_t i = 0; i < batch.size(); ++i)
    response.tables.push_back({.table_name = std::string(batch[i].table), .rows = std::move(responses[i])});
  return response;
}

}  // namespace dinette::tablestore::ops
