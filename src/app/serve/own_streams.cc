#include "app/serve/own_streams.h"

#include <utility>
#include <vector>

#include "dinette/kinesis/put_records.h"

namespace dinette::app {
namespace {

dynamodb::KinesisStreams::Put outcome_of(kinesis::PutFailure::Reason reason) {
  using Put = dynamodb::KinesisStreams::Put;
  switch (reason) {
    case kinesis::PutFailure::Reason::no_stream:
      return Put::no_stream;
    case kinesis::PutFailure::Reason::refused:
      return Put::refused;
    case kinesis::PutFailure::Reason::storage:
      break;
  }
  return Put::unavailable;
}

}  // namespace

kv::Result<bool> OwnStreams::takes_records(tenancy::World& world, std::string_view name_space,
                                           std::string_view stream_arn, const std::stop_token&) {
  DINETTE_TRY(const auto stream, kinesis::find_stream(world, name_space, stream_arn));
  return stream && stream->writable;
}

OwnStreams::PutResult OwnStreams::put(tenancy::World& world, std::string_view name_space,
                                      std::string_view stream_arn, std::span<const Record> records,
                                      const std::stop_token&) {
  std::vector<kinesis::RecordToPut> to_put;
  to_put.reserve(records.size());
  for (const Record& record : records) to_put.push_back({record.partition_key, record.data});
  auto result = kinesis::put_records(world, name_space, stream_arn, to_put);
  if (result) return {};
  return {outcome_of(result.error().reason), std::move(result).error().message};
}

}  // namespace dinette::app
