#include "app/serve/streams_elsewhere.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "dinette/aws/arn.h"
#include "dinette/aws/json.h"
#include "dinette/aws/json_writer.h"
#include "dinette/base/base64.h"
#include "dinette/http/url.h"

namespace dinette::app {
namespace {

using base::Failure;
using Put = dynamodb::KinesisStreams::Put;
using PutResult = dynamodb::KinesisStreams::PutResult;
using Record = dynamodb::KinesisStreams::Record;

constexpr std::string_view service = "kinesis";
constexpr std::string_view target_prefix = "Kinesis_20131202.";
constexpr http::ClientLimits limits{.timeout = std::chrono::seconds(30), .body_bytes = std::size_t{4} << 20};

/// Errors that no repetition turns into a success.
constexpr std::array refusals = {std::string_view("InvalidArgumentException"),
                                 std::string_view("ValidationException"),
                                 std::string_view("SerializationException")};
/// Errors of callers that may not use the stream, or have named none.
constexpr std::array absences = {
    std::string_view("ResourceNotFoundException"), std::string_view("AccessDeniedException"),
    std::string_view("UnrecognizedClientException"), std::string_view("InvalidSignatureException")};

std::string_view text_at(aws::JsonElement json, std::string_view name) {
  std::string_view text;
  return json.at_key(name).get(text) == simdjson::SUCCESS ? text : std::string_view();
}

/// Returns the name of an error: "com.amazonaws.kinesis#ResourceNotFoundException" or without the prefix.
std::string_view error_type(aws::JsonElement answer) {
  const std::string_view type = text_at(answer, "__type");
  return type.substr(type.rfind('#') + 1);
}

PutResult failure_of(std::string_view type, std::string_view message) {
  Put put = Put::unavailable;
  if (std::ranges::find(refusals, type) != refusals.end()) put = Put::refused;
  if (std::ranges::find(absences, type) != absences.end()) put = Put::no_stream;
  return {put, std::string(type).append(": ").append(message)};
}

PutResult failure_of(const http::ClientResponse& response) {
  aws::JsonElement answer;
  simdjson::dom::parser parser;
  if (parser.parse(response.body).get(answer) != simdjson::SUCCESS || !answer.is_object())
    return {Put::unavailable, "Kinesis answered '" + response.status_line + "'"};
  std::string_view message = text_at(answer, "message");
  if (message.empty()) message = text_at(answer, "Message");
  return failure_of(error_type(answer), message);
}

std::string of_stream(std::string_view stream_arn) {
  std::string body;
  aws::JsonWriter json(body);
  json.begin_object();
  json.key("StreamARN");
  json.string(stream_arn);
  json.end_object();
  return body;
}

std::string put_records_request(std::string_view stream_arn, std::span<const Record> records,
                                std::span<const std::size_t> chosen) {
  std::string body;
  aws::JsonWriter json(body);
  json.begin_object();
  json.key("StreamARN");
  json.string(stream_arn);
  json.key("Records");
  json.begin_array();
  for (const std::size_t position : chosen) {
    json.begin_object();
    json.key("PartitionKey");
    json.string(records[position].partition_key);
    json.key("Data");
    json.string(base::base64_encode(records[position].data));
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return body;
}

/// Returns the positions of the first record of each key, of the second, and so on.
std::vector<std::vector<std::size_t>> turns_of(std::span<const Record> records) {
  std::vector<std::vector<std::size_t>> turns;
  std::map<std::string_view, std::size_t> seen;
  for (std::size_t position = 0; position < records.size(); ++position) {
    const std::size_t turn = seen[records[position].partition_key]++;
    if (turn == turns.size()) turns.emplace_back();
    turns[turn].push_back(position);
  }
  return turns;
}

}  // namespace

StreamsElsewhere::StreamsElsewhere(tcp::Remote server, aws::SigningIdentity identity,
                                   const base::Clock& clock)
    : server_(std::move(server)), identity_(std::move(identity)), clock_(clock) {}

base::Result<std::string, PutResult> StreamsElsewhere::call(std::string_view operation,
                                                            std::string_view stream_arn, std::string body,
                                                            const std::stop_token& stop) const {
  http::ClientRequest request{
      .method = "POST", .headers = "Content-Type: application/x-amz-json-1.1\r\n", .body = std::move(body)};
  aws::SigningIdentity identity = identity_;
  if (const auto arn = aws::parse_arn(stream_arn)) identity.region = arn->region;
  aws::sign_request(request, http::host_of(server_), std::string(target_prefix).append(operation), service,
                    identity, clock_.now());
  auto response = http::fetch(server_, request, limits, stop);
  if (!response) return Failure{PutResult{Put::unavailable, "Kinesis does not answer"}};
  if (response->status != 200) return Failure{failure_of(*response)};
  return std::move(response->body);
}

kv::Result<bool> StreamsElsewhere::takes_records(tenancy::World&, std::string_view,
                                                 std::string_view stream_arn, const std::stop_token& stop) {
  const auto answer = call("DescribeStreamSummary", stream_arn, of_stream(stream_arn), stop);
  if (!answer && answer.error().put == Put::unavailable)
    return Failure{kv::Error{kv::ErrorKind::io, answer.error().reason}};
  if (!answer) return false;
  simdjson::dom::parser parser;
  aws::JsonElement json;
  aws::JsonElement description;
  if (parser.parse(*answer).get(json) != simdjson::SUCCESS ||
      json.at_key("StreamDescriptionSummary").get(description) != simdjson::SUCCESS)
    return Failure{kv::Error{kv::ErrorKind::io, "the answer of DescribeStreamSummary cannot be read"}};
  const std::string_view status = text_at(description, "StreamStatus");
  return status == "ACTIVE" || status == "UPDATING";
}

PutResult StreamsElsewhere::put_once(std::string_view stream_arn, std::span<const Record> records,
                                     Positions& wanted, const std::stop_token& stop) const {
  const auto answer = call("PutRecords", stream_arn, put_records_request(stream_arn, records, wanted), stop);
  if (!answer) return answer.error();
  simdjson::dom::parser parser;
  aws::JsonElement json;
  aws::JsonArray results;
  if (parser.parse(*answer).get(json) != simdjson::SUCCESS ||
      json.at_key("Records").get(results) != simdjson::SUCCESS || results.size() != wanted.size())
    return {Put::unavailable, "the answer of PutRecords cannot be read"};
  Positions failed;
  PutResult result;
  std::size_t place = 0;
  for (const aws::JsonElement one : results) {
    const std::size_t position = wanted[place++];
    const std::string_view code = text_at(one, "ErrorCode");
    if (code.empty()) continue;
    failed.push_back(position);
    result = failure_of(code, text_at(one, "ErrorMessage"));
  }
  wanted = std::move(failed);
  return result;
}

PutResult StreamsElsewhere::put(tenancy::World&, std::string_view, std::string_view stream_arn,
                                std::span<const Record> records, const std::stop_token& stop) {
  for (Positions& turn : turns_of(records)) {
    while (!turn.empty()) {
      const std::size_t before = turn.size();
      PutResult result = put_once(stream_arn, records, turn, stop);
      // As long as some are put, the rest is tried again at once.
      if (result.put != Put::done && turn.size() == before) return result;
    }
  }
  return {};
}

}  // namespace dinette::app
