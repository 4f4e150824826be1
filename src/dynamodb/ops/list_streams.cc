#include "dynamodb/api/list_streams.h"

#include <string>
#include <utility>

#include "dinette/store/placement.h"

#include "dynamodb/api/stream.h"
#include "dynamodb/streams/open_stream.h"
#include "dynamodb/streams/stream_entry.h"

// docs/service/streams.md section 2.
namespace dinette::dynamodb::ops {

Answer<api::ListStreamsOutput> list_streams(const Context& context, api::ListStreamsInput&& input) {
  const auto limit = static_cast<std::size_t>(input.limit);
  store::KeyRange range;
  if (input.table_name) range = store::KeyRange::of_prefix(stream_key(*input.table_name, ""));
  if (input.exclusive_start_stream_arn) {
    DINETTE_TRY(const std::string start, check_stream_arn(*input.exclusive_start_stream_arn));
    if (start >= range.begin) range.begin = start + '\0';
  }
  api::ListStreamsOutput output;
  output.streams.emplace();
  if (range.empty()) return output;
  DINETTE_STORED(const store::View view, context.store.view());
  bool more = false;
  const auto add = [&](const api::StreamEntry& stream) {
    more = output.streams->size() == limit;
    if (!more) output.streams->push_back({stream.stream_arn, stream.table_name, stream.label});
    return !more;
  };
  if (const auto listed = for_each_entry<api::StreamEntry>(view, range, add); !listed)
    return storage_failure(listed.error());
  if (more) output.last_evaluated_stream_arn = output.streams->back().stream_arn;
  return output;
}

}  // namespace dinette::dynamodb::ops
