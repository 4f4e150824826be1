#include "lambda/functions/failure_document.h"

#include <algorithm>
#include <string_view>

#include "dinette/aws/json_writer.h"
#include "dinette/base/time_text.h"

#include "lambda/functions/function_event.h"

namespace dinette::lambda {
namespace {

using aws::JsonWriter;

void append_request(JsonWriter& json, const DiscardedBatch& discarded) {
  json.key("requestContext");
  json.begin_object();
  json.key("requestId");
  json.string(discarded.batch.id);
  json.key("functionArn");
  json.string(discarded.names.function);
  json.key("condition");
  json.string(condition_of(discarded.why));
  json.key("approximateInvokeCount");
  json.integer(std::max(discarded.batch.tries, 1));
  json.end_object();
}

void append_response(JsonWriter& json, const LastTry& last) {
  json.key("responseContext");
  json.begin_object();
  json.key("statusCode");
  json.integer(last.status);
  json.key("executedVersion");
  json.string(last.version);
  json.key("functionError");
  json.raw(last.function_failed ? "\"Unhandled\"" : "null");
  json.end_object();
}

void append_records(JsonWriter& json, const DiscardedBatch& discarded) {
  const auto& records = discarded.batch.records;
  const bool kinesis = discarded.names.kind == StreamKind::kinesis;
  const auto arrival = [kinesis](base::TimePoint time) {
    return kinesis ? base::format_time(time) : whole_second(time);
  };
  json.key(kinesis ? "KinesisBatchInfo" : "DDBStreamBatchInfo");
  json.begin_object();
  json.key("shardId");
  json.string(discarded.batch.shard);
  if (!records.empty()) {
    json.key("startSequenceNumber");
    json.string(records.front().number);
    json.key("endSequenceNumber");
    json.string(records.back().number);
    json.key("approximateArrivalOfFirstRecord");
    json.string(arrival(records.front().moment));
    json.key("approximateArrivalOfLastRecord");
    json.string(arrival(records.back().moment));
    json.key("batchSize");
    json.integer(static_cast<std::int64_t>(records.size()));
  }
  json.key("streamArn");
  json.string(discarded.names.stream);
  json.end_object();
}

void append_window_info(JsonWriter& json, const deliveries::TumblingWindow& window) {
  std::string period;
  append_window(period, window);
  json.key("timeWindowInfo");
  json.begin_object();
  json.key("window");
  json.raw(period);
  json.key("isFinalInvokeForWindow");
  json.boolean(window.is_final);
  json.key("isWindowTerminatedEarly");
  json.boolean(window.is_early);
  json.end_object();
}

/// Returns parts of "2026-09-17T13:08:40.262Z".
std::string date_of(std::string_view time) {
  return std::string(time.substr(0, time.find('T')));
}

std::string time_of_day(std::string_view time) {
  const std::size_t start = time.find('T') + 1;
  std::string text(time.substr(start, time.find('.') - start));
  std::ranges::replace(text, ':', '.');
  return text;
}

}  // namespace

std::string failure_document(const DiscardedBatch& discarded, std::optional<std::string_view> event) {
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  append_request(json, discarded);
  if (discarded.last && discarded.why == deliveries::Discard::retries_exhausted)
    append_response(json, *discarded.last);
  json.key("version");
  json.string("1.0");
  json.key("timestamp");
  json.string(base::format_time(discarded.now));
  append_records(json, discarded);
  if (discarded.batch.window) append_window_info(json, *discarded.batch.window);
  if (event) {
    json.key("payload");
    json.string(*event);
  }
  json.end_object();
  return text;
}

std::string_view condition_of(deliveries::Discard why) {
  return why == deliveries::Discard::too_old ? "RecordAgeExceeded" : "RetryAttemptsExhausted";
}

std::string failure_key(const DiscardedBatch& discarded, std::string_view id) {
  const std::string time = base::format_time(discarded.now);
  const std::string date = date_of(time);
  std::string folders = date;
  std::ranges::replace(folders, '-', '/');
  std::string key = "aws/lambda/" + discarded.names.id + "/" + discarded.batch.shard + "/";
  key.append(folders).append("/").append(date).append("T").append(time_of_day(time));
  return key.append("-").append(id);
}

}  // namespace dinette::lambda
