#include "dinette/kinesis/put_records.h"

#include <memory>
#include <utility>

#include "dinette/aws/arn.h"

#include "kinesis/request/context.h"
#include "kinesis/streams/new_records.h"
#include "kinesis/streams/open_stream.h"

namespace dinette::kinesis {
namespace {

/// Calls `use` with the context of a caller that sees a name space, and knows a stream by its ARN alone.
template <class Use>
auto in_context(tenancy::World& world, std::string_view name_space, std::string_view account, Use use) {
  const std::shared_ptr<store::Store> store = world.store(face_id, name_space);
  const Context context{.store = *store,
                        .jobs = world.jobs(),
                        .now = world.clock().now(),
                        .state_delay = std::chrono::milliseconds(0),
                        .account = account,
                        .region = {}};
  return use(context);
}

PutFailure failure_of(ApiError&& error) {
  using Reason = PutFailure::Reason;
  const bool storage = error.must_wait || error.code == api::ErrorCode::internal_failure;
  const bool none = error.code == api::ErrorCode::resource_not_found_exception;
  return {storage ? Reason::storage : none ? Reason::no_stream : Reason::refused, std::move(error.message)};
}

std::string account_in(std::string_view arn) {
  const auto parts = aws::parse_arn(arn);
  return parts ? std::string(parts->account) : std::string();
}

}  // namespace

kv::Result<std::optional<StreamFacts>> find_stream(tenancy::World& world, std::string_view name_space,
                                                   std::string_view stream_arn) {
  const std::optional<std::string> arn(stream_arn);
  const std::string account = account_in(stream_arn);
  const auto find = [&](const Context& context) -> kv::Result<std::optional<StreamFacts>> {
    auto stream = open_stream(context, {std::nullopt, arn});
    if (!stream) {
      const bool none = failure_of(ApiError(stream.error())).reason != PutFailure::Reason::storage;
      if (none) return std::optional<StreamFacts>();
      return base::Failure{kv::Error{kv::ErrorKind::io, stream.error().message}};
    }
    const api::StreamRecord& record = stream->record();
    const api::StreamStatus status = state_at(record, context.now).status;
    const bool writable = status == api::StreamStatus::active || status == api::StreamStatus::updating;
    return std::optional(StreamFacts{record.name, record.account, record.region, writable});
  };
  return in_context(world, name_space, account, find);
}

base::Result<void, PutFailure> put_records(tenancy::World& world, std::string_view name_space,
                                           std::string_view stream_arn,
                                           std::span<const RecordToPut> records) {
  const std::optional<std::string> arn(stream_arn);
  const std::string account = account_in(stream_arn);
  std::vector<NewRecord> hashed;
  hashed.reserve(records.size());
  for (const RecordToPut& record : records)
    hashed.push_back({HashKey::of_partition_key(record.partition_key), record.partition_key, record.data});
  const auto put_all = [&](const Context& context) { return put(context, {std::nullopt, arn}, hashed); };
  auto numbers = in_context(world, name_space, account, put_all);
  if (!numbers) return base::Failure{failure_of(std::move(numbers).error())};
  return {};
}

}  // namespace dinette::kinesis
