#include "kinesis/streams/open_stream.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

#include "dinette/aws/arn.h"

#include "kinesis/api/stream_transition.h"

namespace dinette::kinesis {
namespace {

constexpr std::string_view resource_prefix = "stream/";

base::Failure<ApiError> no_such_id(const Context& context, std::string_view stream, std::string_view id) {
  return refusal(api::ErrorCode::resource_not_found_exception,
                 "Could not find shard " + std::string(id) + " in stream " + std::string(stream) +
                     " under account " + std::string(context.account) + ".");
}

/// Returns the parts of the ARN of a stream, whose resource is then its name alone.
std::optional<aws::Arn> stream_in_arn(std::string_view text) {
  auto arn = aws::parse_arn(text);
  if (!arn || arn->service != "kinesis" || !arn->resource.starts_with(resource_prefix)) return std::nullopt;
  arn->resource.remove_prefix(resource_prefix.size());
  return arn;
}

}  // namespace

StreamState state_at(const api::StreamRecord& record, base::TimePoint now) {
  if (!record.transition) return {api::StreamStatus::active};
  const api::StreamTransition& transition = *record.transition;
  const aws::Timestamp moment(now);
  // A clock that shows a time before the beginning was set back: then it counts as over.
  if (moment >= transition.begun && moment < transition.until) return {transition.status};
  return {api::StreamStatus::active, transition.status == api::StreamStatus::deleting};
}

std::string stream_under_account(std::string_view name, std::string_view account) {
  return "Stream " + std::string(name) + " under account " + std::string(account);
}

base::Failure<ApiError> stream_not_found(std::string_view name, std::string_view account) {
  return refusal(api::ErrorCode::resource_not_found_exception,
                 stream_under_account(name, account) + " not found.");
}

Answer<std::string> name_of(const StreamName& stream) {
  if (!stream.arn) {
    if (stream.name) return *stream.name;
    return invalid_argument("Either StreamName or StreamARN should be provided.");
  }
  const auto arn = stream_in_arn(*stream.arn);
  if (!arn) return invalid_argument("StreamARN " + *stream.arn + " is not the ARN of a stream.");
  if (stream.name && *stream.name != arn->resource)
    return invalid_argument("StreamName " + *stream.name + " is not that of StreamARN " + *stream.arn + ".");
  return std::string(arn->resource);
}

Answer<OpenStream> find_stream(const Context& context, const std::string& name) {
  DINETTE_KINESIS_STORED(store::TablePointer table, context.store.catalog().open(name));
  OpenStream stream{std::move(table)};
  if (stream.table && state_at(stream.record(), context.now).gone) stream.table = nullptr;
  return stream;
}

Answer<OpenStream> open_stream(const Context& context, const StreamName& named) {
  DINETTE_TRY(const std::string name, name_of(named));
  DINETTE_TRY(OpenStream stream, find_stream(context, name));
  if (!stream.table) return stream_not_found(name, context.account);
  if (named.arn && *named.arn != arn_of(stream.record()))
    return stream_not_found(name, stream_in_arn(*named.arn)->account);
  return stream;
}

Answer<OpenStream> change_stream(const Context& context, const OpenStream& stream,
                                 base::FunctionRef<Answer<void>(api::StreamRecord& record)> edit) {
  Answer<void> edited = stream_not_found(stream.table->name, context.account);  // unless it is still there
  const auto decide = [&](const store::Table& current) -> std::optional<store::TableUpdate> {
    api::StreamRecord record = current.schema_as<StreamSchema>().record();
    const StreamState state = state_at(record, context.now);
    if (state.gone) return std::nullopt;
    if (state.status == api::StreamStatus::active) record.transition.reset();
    edited = edit(record);
    if (!edited) return std::nullopt;
    return store::TableUpdate(encode_record(record));
  };
  DINETTE_KINESIS_STORED(store::TablePointer changed, context.store.catalog().update(*stream.table, decide));
  DINETTE_CHECK(std::move(edited));
  return OpenStream{std::move(changed)};
}

void begin_update(const Context& context, api::StreamRecord& record) {
  if (context.state_delay.count() == 0) return;
  const aws::Timestamp now(context.now);
  record.transition = api::StreamTransition{api::StreamStatus::updating, now, now + context.state_delay};
}

Answer<void> check_active(const Context& context, const api::StreamRecord& record) {
  const api::StreamStatus status = state_at(record, context.now).status;
  if (status == api::StreamStatus::active) return {};
  return refusal(api::ErrorCode::resource_in_use_exception,
                 stream_under_account(record.name, context.account) + " not ACTIVE, instead in state " +
                     std::string(to_string(status)));
}

Answer<std::int64_t> shard_number(const Context& context, const std::string& stream, std::string_view id) {
  const std::string_view digits = id.substr(id.find('-') + 1);
  std::int64_t number = -1;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool whole = read.ec == std::errc() && read.ptr == digits.data() + digits.size();
  if (whole && number >= 0 && number <= std::numeric_limits<std::int32_t>::max()) return number;
  return no_such_id(context, stream, id);
}

}  // namespace dinette::kinesis
