#include "tablestore/api/describe_search_index.h"

#include "tablestore/search/search_target.h"

// tablestore/search-index.md section 1
namespace dinette::tablestore::ops {

Answer<api::DescribeSearchIndexResponse> describe_search_index(const Context& context,
                                                               api::DescribeSearchIndexRequest&& request) {
  DINETTE_TRY(const auto target, search::open_search_index(context, request.table_name, request.index_name));
  DINETTE_TABLESTORE_STORED(const store::Count count, context.store.count(*target.rows.table));
  const std::int64_t now = context.now.time_since_epoch().count();
  api::DescribeSearchIndexResponse response;
  response.schema = target.index->schema;
  // Queries look at the rows as they are.
  if (request.include_sync_stat.value_or(true))
    response.sync_stat = {.sync_phase = api::SyncPhase::incr, .current_sync_timestamp = now * 1000};
  response.metering_info = {.storage_size = count.bytes,
                            .row_count = count.rows,
                            .reserved_read_cu = 0,
                            .timestamp = now / 1'000'000};
  if (!target.index->source.empty()) response.brother_index_name = target.index->source;
  for (const QueryWeight& weight : target.index->query_weights)
    response.query_flow_weight.push_back({.index_name = weight.index, .weight = weight.weight});
  response.create_time = target.index->created;
  response.time_to_live = target.index->time_to_live;
  response.index_status = {.status = api::SearchIndexStatus::running};
  return response;
}

}  // namespace dinette::tablestore::ops
