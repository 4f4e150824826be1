#include "app/listen/remote_stream.h"

#include <algorithm>

#include "dinette/aws/json.h"
#include "dinette/aws/json_writer.h"

#include "app/listen/lambda_record.h"

namespace dinette::app {
namespace {

using aws::JsonElement;
using base::Failure;
using deliveries::RecordPage;
using deliveries::Shard;

constexpr std::string_view no_such_resource = "ResourceNotFoundException";
constexpr std::size_t most_of_get_records = 1000;

constexpr std::string_view expired_iterator = "ExpiredIteratorException";
constexpr std::string_view trimmed_data = "TrimmedDataAccessException";

Failure<kv::Error> failure_of(std::string message) {
  return Failure{kv::Error{kv::ErrorKind::io, std::move(message)}};
}

/// Returns the text of a member; empty if it is absent.
std::string text_at(JsonElement json, std::string_view name) {
  std::string_view text;
  return json.at_key(name).get(text) == simdjson::SUCCESS ? std::string(text) : std::string();
}

/// Returns {"name": "value", ...} of those with a value.
std::string request_of(std::initializer_list<std::pair<std::string_view, std::string_view>> members) {
  std::string text;
  aws::JsonWriter json(text);
  json.begin_object();
  for (const auto& [name, value] : members) {
    if (value.empty()) continue;
    json.key(name);
    json.string(value);
  }
  json.end_object();
  return text;
}

/// Adds the shards of a page of DescribeStream. Returns where the next page begins; empty: nowhere.
std::string add_shards(JsonElement description, std::vector<Shard>& shards) {
  simdjson::dom::array list;
  if (description.at_key("Shards").get(list) != simdjson::SUCCESS) return {};
  for (const JsonElement one : list) {
    Shard shard{.id = text_at(one, "ShardId"), .parents = {}};
    if (auto parent = text_at(one, "ParentShardId"); !parent.empty())
      shard.parents.push_back(std::move(parent));
    shards.push_back(std::move(shard));
  }
  return text_at(description, "LastEvaluatedShardId");
}

}  // namespace

RemoteStream::Called RemoteStream::call(std::string_view operation, const std::string& request) {
  return call_patiently(operations_, operation, request, patience_);
}

kv::Result<std::optional<std::vector<Shard>>> RemoteStream::shards() {
  std::vector<Shard> shards;
  std::string begin;
  do {
    const auto answer =
        call("DescribeStream", request_of({{"StreamArn", arn_}, {"ExclusiveStartShardId", begin}}));
    if (!answer && answer.error().type == no_such_resource) return std::optional<std::vector<Shard>>();
    if (!answer) return failure_of(answer.error().message);
    simdjson::dom::parser parser;
    JsonElement json;
    JsonElement description;
    if (parser.parse(*answer).get(json) != simdjson::SUCCESS ||
        json.at_key("StreamDescription").get(description) != simdjson::SUCCESS)
      return failure_of("the answer of DescribeStream cannot be read");
    begin = add_shards(description, shards);
  } while (!begin.empty());
  return std::optional(std::move(shards));
}

kv::Result<std::string> RemoteStream::place_of(const std::string& shard,
                                               deliveries::StartingPosition position, base::TimePoint) {
  if (position != deliveries::StartingPosition::latest) return std::string();
  from_latest_.insert(shard);
  auto begin = iterator(shard, "LATEST", "");
  if (!begin) return failure_of(begin.error().message);
  iterators_[Place(shard, "")] = *std::move(begin);
  return std::string();
}

RemoteStream::Called RemoteStream::iterator(const std::string& shard, std::string_view type,
                                            const std::string& after) {
  DINETTE_TRY(const std::string answer, call("GetShardIterator", request_of({{"StreamArn", arn_},
                                                                             {"ShardId", shard},
                                                                             {"ShardIteratorType", type},
                                                                             {"SequenceNumber", after}})));
  simdjson::dom::parser parser;
  JsonElement json;
  if (parser.parse(answer).get(json) == simdjson::SUCCESS) return text_at(json, "ShardIterator");
  return Failure{CallError{"", "the answer of GetShardIterator cannot be read"}};
}

RemoteStream::Called RemoteStream::iterator_after(const Place& place) {
  if (const auto known = iterators_.find(place); known != iterators_.end()) return known->second;
  const auto& [shard, after] = place;
  if (after.empty()) return iterator(shard, from_latest_.contains(shard) ? "LATEST" : "TRIM_HORIZON", "");
  auto next = iterator(shard, "AFTER_SEQUENCE_NUMBER", after);
  // Records that were removed because of their age are skipped.
  if (!next && next.error().type == trimmed_data) return iterator(shard, "TRIM_HORIZON", "");
  return next;
}

kv::Result<RecordPage> RemoteStream::read(const std::string& shard, const std::string& after,
                                          std::size_t most, std::size_t) {
  const Place place(shard, after);
  const RecordPage no_more{.records = {}, .at_end = true, .closed = true};
  const auto from = iterator_after(place);
  if (!from && from.error().type == no_such_resource) return no_more;
  if (!from) return failure_of(from.error().message);
  std::string request = request_of({{"ShardIterator", *from}});
  request.pop_back();
  request += ",\"Limit\":" + std::to_string(std::min(most, most_of_get_records)) + "}";
  const auto answer = call("GetRecords", request);
  iterators_.erase(place);
  if (answer) return page_of(*answer, place);
  // The next reading begins with a new iterator.
  const std::string& type = answer.error().type;
  if (type == no_such_resource) return no_more;
  if (type == expired_iterator || type == trimmed_data) return RecordPage();
  return failure_of(answer.error().message);
}

kv::Result<RecordPage> RemoteStream::page_of(std::string_view answer, const Place& place) {
  simdjson::dom::parser parser;
  JsonElement json;
  simdjson::dom::array list;
  if (parser.parse(answer.data(), answer.size()).get(json) != simdjson::SUCCESS ||
      json.at_key("Records").get(list) != simdjson::SUCCESS)
    return failure_of("the answer of GetRecords cannot be read");
  RecordPage page;
  for (const JsonElement one : list) {
    auto record = lambda_record(one, arn_);
    if (!record) return failure_of("a record of GetRecords cannot be read");
    page.records.push_back(*std::move(record));
  }
  const std::string next = text_at(json, "NextShardIterator");
  page.closed = next.empty();
  page.at_end = page.records.empty() || page.closed;
  const std::string& after = page.records.empty() ? place.second : page.records.back().number;
  if (!page.closed) iterators_[Place(place.first, after)] = next;
  return page;
}

base::Result<LatestStream, std::string> latest_stream(Operations& operations, const Patience& patience,
                                                      const std::string& table) {
  const auto answer =
      call_patiently(operations, "DescribeTable", request_of({{"TableName", table}}), patience);
  if (!answer && answer.error().type == no_such_resource) return LatestStream{{}, answer.error().message};
  if (!answer) return Failure{answer.error().message};
  simdjson::dom::parser parser;
  JsonElement json;
  JsonElement description;
  if (parser.parse(*answer).get(json) != simdjson::SUCCESS ||
      json.at_key("Table").get(description) != simdjson::SUCCESS)
    return Failure{std::string("the answer of DescribeTable cannot be read")};
  std::string arn = text_at(description, "LatestStreamArn");
  if (arn.empty())
    return LatestStream{
        {}, "the table '" + table + "' has no stream; an UpdateTable with a StreamSpecification makes one"};
  return LatestStream{std::move(arn), {}};
}

base::Result<std::string, std::string> stream_of_table(Operations& operations, const Patience& patience,
                                                       const std::string& table) {
  DINETTE_TRY(LatestStream latest, latest_stream(operations, patience, table));
  if (latest.arn.empty()) return Failure{std::move(latest.missing)};
  return std::move(latest.arn);
}

}  // namespace dinette::app
