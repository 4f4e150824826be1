#include "dynamodb/deliveries/destinations.h"

#include <algorithm>
#include <span>
#include <stop_token>
#include <thread>
#include <utility>

namespace test {

using Put = dinette::dynamodb::KinesisStreams::Put;

void KeptStreams::add(const std::string& arn) {
  const std::scoped_lock lock(mutex_);
  streams_[arn];
}

void KeptStreams::remove(const std::string& arn) {
  const std::scoped_lock lock(mutex_);
  streams_.erase(arn);
}

void KeptStreams::fail(int puts) {
  const std::scoped_lock lock(mutex_);
  failures_ = puts;
}

void KeptStreams::refuse(const std::string& text) {
  const std::scoped_lock lock(mutex_);
  refused_ = text;
}

std::vector<PutRecord> KeptStreams::records(const std::string& arn) {
  const std::scoped_lock lock(mutex_);
  const auto stream = streams_.find(arn);
  return stream == streams_.end() ? std::vector<PutRecord>() : stream->second;
}

std::vector<std::size_t> KeptStreams::batches() {
  const std::scoped_lock lock(mutex_);
  return batches_;
}

std::string KeptStreams::last_name_space() {
  const std::scoped_lock lock(mutex_);
  return last_name_space_;
}

dinette::kv::Result<bool> KeptStreams::takes_records(dinette::tenancy::World&, std::string_view,
                                                     std::string_view stream_arn, const std::stop_token&) {
  const std::scoped_lock lock(mutex_);
  return streams_.contains(stream_arn);
}

KeptStreams::PutResult KeptStreams::put(dinette::tenancy::World&, std::string_view name_space,
                                        std::string_view stream_arn, std::span<const Record> records,
                                        const std::stop_token&) {
  const std::scoped_lock lock(mutex_);
  const auto stream = streams_.find(stream_arn);
  if (stream == streams_.end()) return {Put::no_stream, "there is no such stream"};
  if (failures_ > 0) {
    --failures_;
    return {Put::unavailable, "it is not to be reached"};
  }
  const auto is_refused = [&](const Record& record) {
    return !refused_.empty() && record.data.find(refused_) != std::string_view::npos;
  };
  if (std::ranges::any_of(records, is_refused)) return {Put::refused, "a record is refused"};
  for (const Record& record : records)
    stream->second.push_back({std::string(record.partition_key), std::string(record.data)});
  batches_.push_back(records.size());
  last_name_space_ = name_space;
  return {};
}

namespace {

dinette::dynamodb::ServiceOptions with_streams(dinette::dynamodb::ServiceOptions options,
                                               KeptStreams& streams) {
  options.kinesis = &streams;
  return options;
}

}  // namespace

Destinations::Destinations(dinette::dynamodb::ServiceOptions options)
    : db(with_streams(std::move(options), streams)) {}

Destinations::~Destinations() = default;

void Destinations::enable(const std::string& arn, std::string_view table, const Json& configuration) {
  streams.add(arn);
  Json request = destination(arn, table);
  if (!configuration.is_null()) request["EnableKinesisStreamingConfiguration"] = configuration;
  db.ok("EnableKinesisStreamingDestination", request);
  wait_for("ACTIVE", table);
}

void Destinations::disable(const std::string& arn, std::string_view table) {
  db.ok("DisableKinesisStreamingDestination", destination(arn, table));
  wait_for("DISABLED", table);
}

void Destinations::wait_for(std::string_view status, std::string_view table) {
  wait_until([&] {
    db.jobs().run_due();  // which wake what waits for the clock
    return described(table).at(0).at("DestinationStatus") == status;
  });
}

std::vector<PutRecord> Destinations::wait_for_records(const std::string& arn, std::size_t count) {
  wait_until([&] { return streams.records(arn).size() >= count; });
  return streams.records(arn);
}

Json Destinations::described(std::string_view table) {
  return db.ok("DescribeKinesisStreamingDestination", {{"TableName", table}})
      .at("KinesisDataStreamDestinations");
}

void wait_until(const std::function<bool()>& holds) {
  while (!holds()) std::this_thread::yield();
}

std::string kinesis_arn(std::string_view name) {
  return "arn:aws:kinesis:us-east-1:000000000000:stream/" + std::string(name);
}

Json destination(const std::string& arn, std::string_view table) {
  return {{"TableName", table}, {"StreamArn", arn}};
}

Json with_precision(const std::string& arn, std::string_view precision, std::string_view member) {
  return with(destination(arn), {{member, {{"ApproximateCreationDateTimePrecision", precision}}}});
}

}  // namespace test
