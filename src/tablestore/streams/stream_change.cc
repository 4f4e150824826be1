#include "tablestore/streams/stream_change.h"

#include <cstddef>
#include <cstdint>

#include "tablestore/api/limits.h"
#include "tablestore/api/refusals.h"

namespace dinette::tablestore {

Answer<StreamChange> StreamChange::read(const std::optional<api::StreamSpecification>& given) {
  StreamChange change;
  change.wanted_ = given;
  if (!given || !given->enable_stream) return change;
  const std::size_t columns = given->columns_to_get.size();
  if (columns > limits::columns_to_get)
    return refuse::too_many_columns_to_get(limits::columns_to_get, static_cast<std::int64_t>(columns));
  if (!given->expiration_time) return change;
  if (*given->expiration_time < 1 || *given->expiration_time > limits::stream_hours)
    return refuse::invalid_stream_expiration(limits::stream_hours);
  return change;
}

Answer<void> StreamChange::apply(const Context& context, TableMeta& table) const {
  if (!wanted_) return {};
  if (!wanted_->enable_stream) {
    table.stream.reset();
    return {};
  }
  constexpr std::int32_t usual_hours = 24;
  const std::int32_t before = table.stream ? table.stream->expiration_hours : usual_hours;
  if (!table.stream) {
    DINETTE_TABLESTORE_STORED(const store::StreamId stream, context.store.new_stream());
    table.stream = StreamMeta{.stream = static_cast<std::uint64_t>(stream),
                              .enabled = context.now.time_since_epoch().count()};
  }
  table.stream->expiration_hours = wanted_->expiration_time.value_or(before);
  table.stream->origin_columns.assign(wanted_->columns_to_get.begin(), wanted_->columns_to_get.end());
  return {};
}

}  // namespace dinette::tablestore
