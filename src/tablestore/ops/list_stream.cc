#include "tablestore/api/list_stream.h"

#include <limits>

#include "tablestore/request/names.h"
#include "tablestore/tables/table_schema.h"

// tablestore/streams.md section 2
namespace dinette::tablestore::ops {
namespace {

void add_stream(const store::Table& table, api::ListStreamResponse& response) {
  const TableMeta& meta = table.schema_as<TableSchema>().meta();
  if (!meta.stream) return;
  response.streams.push_back(
      {.stream_id = meta.stream_id(), .table_name = meta.name, .creation_time = meta.stream->enabled});
}

}  // namespace

/// A table that is missing has none.
Answer<api::ListStreamResponse> list_stream(const Context& context, api::ListStreamRequest&& request) {
  api::ListStreamResponse response;
  if (request.table_name && !request.table_name->empty()) {
    DINETTE_CHECK(check_table_name(*request.table_name));
    DINETTE_TABLESTORE_STORED(const store::TablePointer table,
                              context.store.catalog().open(*request.table_name));
    if (table) add_stream(*table, response);
    return response;
  }
  constexpr std::size_t all = std::numeric_limits<std::size_t>::max();
  DINETTE_TABLESTORE_STORED(const auto tables, context.store.catalog().list("", all));
  for (const store::TablePointer& table : tables) add_stream(*table, response);
  return response;
}

}  // namespace dinette::tablestore::ops
