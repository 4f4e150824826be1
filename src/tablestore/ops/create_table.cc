#include "tablestore/api/create_table.h"

#include <utility>

#include "dinette/base/waiting.h"

#include "tablestore/api/delete_table.h"
#include "tablestore/api/limits.h"
#include "tablestore/api/refusals.h"
#include "tablestore/indexes/index_checks.h"
#include "tablestore/indexes/index_names.h"
#include "tablestore/plainbuffer/variant.h"
#include "tablestore/request/names.h"
#include "tablestore/rows/expiry.h"
#include "tablestore/streams/stream_change.h"
#include "tablestore/streams/stream_upkeep.h"
#include "tablestore/tables/table_checks.h"
#include "tablestore/tables/table_schema.h"

// tablestore/tables.md section 1.
namespace dinette::tablestore::ops {
namespace {

/// The points between the ranges of partition keys that a table begins with.
Answer<std::vector<std::string>> split_points_of(const std::vector<api::PartitionRange>& partitions) {
  if (partitions.size() > limits::partitions)
    return refuse::too_many_partitions(static_cast<std::int64_t>(limits::partitions));
  std::vector<std::string> points;
  for (const api::PartitionRange& range : partitions) {
    DINETTE_TRY(const Value begin, plainbuffer::decode_variant(range.begin));
    DINETTE_CHECK(plainbuffer::decode_variant(range.end));
    if (!begin.is_infinite()) points.emplace_back(range.begin);
  }
  return points;
}

Answer<EncryptionMeta> encryption_of(const api::SSESpecification& given) {
  EncryptionMeta encryption;
  if (given.key_type) encryption.key_type = static_cast<std::int32_t>(*given.key_type);
  encryption.key_id = given.key_id.value_or("");
  encryption.role = given.role_arn.value_or("");
  const bool brings_key = given.key_type == api::SSEKeyType::byok;
  if (brings_key && (encryption.key_id.empty() || encryption.role.empty()))
    return parameter_invalid("SSE with BYOK needs a key id and a role");
  return encryption;
}

Answer<TableMeta> new_table(const Context& context, const api::CreateTableRequest& request) {
  TableMeta meta;
  meta.name = request.table_meta.table_name;
  DINETTE_CHECK(check_table_name(meta.name));
  DINETTE_TRY(meta.key, key_of(request.table_meta.primary_key));
  DINETTE_CHECK(add_defined_columns(meta.key, request.table_meta.defined_column, meta.defined_columns));
  DINETTE_TRY(meta.options, new_options(request.table_options));
  DINETTE_TRY(meta.reserved, new_units(request.reserved_throughput.capacity_unit));
  DINETTE_TRY(meta.split_points, split_points_of(request.partitions));
  if (request.sse_spec && request.sse_spec->enable) {
    DINETTE_TRY(meta.encryption, encryption_of(*request.sse_spec));
  }
  meta.created = meta.units_raised = context.now.time_since_epoch().count();
  meta.local_transactions = request.enable_local_txn.value_or(true);
  for (const api::IndexMeta& index : request.index_metas) DINETTE_CHECK(add_index(index, meta));
  return meta;
}

/// Two requests at the same time may both create the last table.
Answer<void> check_quota(const Context& context, std::size_t more) {
  DINETTE_TABLESTORE_STORED(const auto tables, context.store.catalog().list("", limits::tables));
  if (tables.size() + more > limits::tables)
    return refuse::too_many_tables(static_cast<std::int64_t>(limits::tables));
  return {};
}

/// Makes the names of the indexes of a table that has just been created, which is deleted again if one has
/// been taken since the look.
Answer<void> name_indexes(const Context& context, const store::Table& table) {
  const auto named = make_names(context.store, table);
  if (named && *named) return {};
  DINETTE_CHECK(delete_table(context, {.table_name = table.name}));
  return named ? refuse::table_exists() : storage_failure(named.error());
}

}  // namespace

Answer<api::CreateTableResponse> create_table(const Context& context, api::CreateTableRequest&& request) {
  if (context.details != nullptr) context.details->table(request.table_meta.table_name);
  DINETTE_TRY(TableMeta meta, new_table(context, request));
  DINETTE_TRY(const StreamChange stream, StreamChange::read(request.stream_spec));
  // Several commits: a part of them alone cannot be retried.
  if (!meta.indexes.empty() && !base::may_wait()) return must_wait();
  DINETTE_TABLESTORE_STORED(const store::TablePointer present, context.store.catalog().open(meta.name));
  if (present) return refuse::table_exists();
  for (const IndexMeta& index : meta.indexes) DINETTE_CHECK(check_index_name_free(context, index.name));
  DINETTE_CHECK(check_quota(context, 1 + meta.indexes.size()));
  DINETTE_CHECK(stream.apply(context, meta));
  DINETTE_TABLESTORE_STORED(const store::TablePointer table,
                            context.store.catalog().create(meta.name, encode_table(meta)));
  if (!table) return refuse::table_exists();  // by another request since the look
  remove_expired_later(context.store, context.world.jobs(), *table);
  remove_expired_records_later(context.store, context.world.jobs(), *table);
  DINETTE_CHECK(name_indexes(context, *table));
  return api::CreateTableResponse();
}

}  // namespace dinette::tablestore::ops
