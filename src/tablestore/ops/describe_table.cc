#include "tablestore/api/describe_table.h"

#include <algorithm>

#include "tablestore/api/refusals.h"
#include "tablestore/plainbuffer/row_writer.h"
#include "tablestore/plainbuffer/variant.h"
#include "tablestore/tables/descriptions.h"
#include "tablestore/tables/open_table.h"

// tablestore/tables.md section 4.
namespace dinette::tablestore::ops {
namespace {

/// Returns each point as a key of the partition key alone.
Answer<std::vector<std::string>> described_splits(const TableMeta& table) {
  std::vector<std::string> rows;
  for (const std::string& point : table.split_points) {
    DINETTE_TRY(const Value value, plainbuffer::decode_variant(point));
    rows.push_back(plainbuffer::encode_key({{table.key.front().name, value}}));
  }
  return rows;
}

/// Not at all without encryption: an old client reads indexes there (tablestore/messages.md section 2).
std::optional<api::SSEDetails> described_encryption(const TableMeta& table) {
  if (!table.encryption) return std::nullopt;
  api::SSEDetails details{.enable = true};
  api::SSEKeyType type = api::SSEKeyType::kms_service;
  if (api::from_number(table.encryption->key_type, type)) details.key_type = type;
  if (!table.encryption->key_id.empty()) details.key_id = table.encryption->key_id;
  if (!table.encryption->role.empty()) details.role_arn = table.encryption->role;
  return details;
}

Answer<api::DescribeTableResponse> description_of(const TableMeta& table) {
  api::DescribeTableResponse response;
  response.table_meta = described_meta(table);
  response.reserved_throughput_details = described_units(table);
  response.table_options = described_options(table.options);
  response.table_status = api::TableStatus::active;
  response.stream_details = described_stream(table);
  DINETTE_TRY(response.shard_splits, described_splits(table));
  response.sse_details = described_encryption(table);
  for (const IndexMeta& index : table.indexes) response.index_metas.push_back(described_index(index));
  response.creation_time = table.created;
  return response;
}

/// Returns an index as if it were a table of its own.
TableMeta as_table(const TableMeta& main, const IndexMeta& index) {
  TableMeta table = main;
  table.name = index.name;
  table.key = completed_key(main, index);
  for (KeyColumnMeta& column : table.key) column.auto_increment = false;
  std::erase_if(table.defined_columns, [&](const DefinedColumnMeta& column) {
    return std::ranges::find(index.attributes, column.name) == index.attributes.end();
  });
  table.indexes.clear();
  table.split_points.clear();
  table.stream.reset();
  return table;
}

}  // namespace

Answer<api::DescribeTableResponse> describe_table(const Context& context,
                                                  api::DescribeTableRequest&& request) {
  DINETTE_TRY(const OpenTable found, open_table(context, request.table_name));
  if (!found.schema().is_index()) return description_of(found.meta());
  DINETTE_TRY(const OpenTable main, open_table(context, found.schema().main_table()));
  const IndexMeta* const index = main.meta().index(request.table_name);
  if (index == nullptr) return refuse::no_such_table();  // it was dropped meanwhile
  return description_of(as_table(main.meta(), *index));
}

}  // namespace dinette::tablestore::ops
