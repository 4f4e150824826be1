#include "tablestore/api/get_stream_record.h"

#include <algorithm>
#include <utility>

#include "tablestore/api/limits.h"
#include "tablestore/api/refusals.h"
#include "tablestore/rows/row_replies.h"
#include "tablestore/streams/shard_records.h"
#include "tablestore/streams/stream_id.h"

// tablestore/streams.md section 2
namespace dinette::tablestore::ops {

Answer<api::GetStreamRecordResponse> get_stream_record(const Context& context,
                                                       api::GetStreamRecordRequest&& request) {
  const auto iterator = ShardIterator::decode(request.shard_iterator);
  if (!iterator) return refuse::invalid_shard_iterator();
  if (iterator->stream_id.size() > limits::name_bytes) return refuse::invalid_stream_id(iterator->stream_id);
  DINETTE_TRY(const OpenTable table, open_stream(context, iterator->stream_id));
  const auto most = static_cast<std::int32_t>(limits::stream_page_records);
  const std::int32_t limit = request.limit && *request.limit > 0 ? std::min(*request.limit, most) : most;
  DINETTE_TRY(RecordPage page, read_records(context, table, *iterator, static_cast<std::size_t>(limit)));
  api::GetStreamRecordResponse response;
  response.stream_records = std::move(page.records);
  response.next_shard_iterator = page.next.encode();
  response.consumed = read_units(page.bytes);
  response.may_more_record = page.more;
  return response;
}

}  // namespace dinette::tablestore::ops
