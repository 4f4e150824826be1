#include "tablestore/api/update_table.h"

#include "tablestore/api/refusals.h"
#include "tablestore/indexes/index_checks.h"
#include "tablestore/rows/expiry.h"
#include "tablestore/search/index_changes.h"
#include "tablestore/streams/stream_change.h"
#include "tablestore/streams/stream_upkeep.h"
#include "tablestore/tables/descriptions.h"
#include "tablestore/tables/open_table.h"
#include "tablestore/tables/table_checks.h"

// tablestore/tables.md section 3.
namespace dinette::tablestore::ops {

Answer<api::UpdateTableResponse> update_table(const Context& context, api::UpdateTableRequest&& request) {
  DINETTE_TRY(const OpenTable table, open_main_table(context, request.table_name));
  if (!request.reserved_throughput && !request.table_options && !request.stream_spec)
    return refuse::no_table_option();
  DINETTE_TRY(const StreamChange stream, StreamChange::read(request.stream_spec));
  const auto edit = [&](TableMeta& meta) -> Answer<void> {
    DINETTE_CHECK(stream.apply(context, meta));
    if (request.table_options) DINETTE_CHECK(change_options(*request.table_options, meta.options));
    DINETTE_CHECK(check_index_options(meta));
    DINETTE_CHECK(search::check_options(meta));
    if (!request.reserved_throughput) return {};
    return change_units(request.reserved_throughput->capacity_unit, context.now.time_since_epoch().count(),
                        meta);
  };
  DINETTE_TRY(const OpenTable changed, change_table(context, table, edit));
  remove_expired_later(context.store, context.world.jobs(), *changed.table);
  remove_expired_records_later(context.store, context.world.jobs(), *changed.table);
  api::UpdateTableResponse response;
  response.reserved_throughput_details = described_units(changed.meta());
  response.table_options = described_options(changed.meta().options);
  response.stream_details = described_stream(changed.meta());
  return response;
}

}  // namespace dinette::tablestore::ops
