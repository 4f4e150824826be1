#include "app/listen/lambda_record.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>

#include "dinette/aws/java_number.h"
#include "dinette/aws/json_writer.h"
#include "dinette/base/iso_time.h"

namespace dinette::app {
namespace {

using aws::JsonElement;
using aws::JsonObject;
using aws::JsonWriter;

void copy(JsonWriter& json, JsonObject from, std::string_view name) {
  const auto value = aws::member_of(from, name);
  if (!value) return;
  json.key(name);
  json.raw(simdjson::minify(*value));
}

/// Writes who deleted an item, with names in lower case.
void write_identity(JsonWriter& json, JsonObject record) {
  const auto identity = aws::member_of(record, "userIdentity");
  JsonObject from;
  if (!identity || identity->get(from) != simdjson::SUCCESS) return;
  json.key("userIdentity");
  json.begin_object();
  for (const auto& [own, name] : {std::pair("type", "Type"), std::pair("principalId", "PrincipalId")}) {
    std::string_view text;
    if (from.at_key(name).get(text) != simdjson::SUCCESS) continue;
    json.key(own);
    json.string(text);
  }
  json.end_object();
}

void write_change(JsonWriter& json, JsonObject change, std::int64_t seconds) {
  json.key("dynamodb");
  json.begin_object();
  json.key("ApproximateCreationDateTime");
  json.raw(aws::java_number(seconds));
  for (const char* name : {"Keys", "NewImage", "OldImage", "SequenceNumber", "SizeBytes", "StreamViewType"})
    copy(json, change, name);
  json.end_object();
}

std::string payload_of(JsonObject record, JsonObject change, std::int64_t seconds, std::string_view stream) {
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  for (const char* name : {"eventID", "eventName", "eventVersion", "eventSource", "awsRegion"})
    copy(json, record, name);
  write_identity(json, record);
  write_change(json, change, seconds);
  json.key("eventSourceARN");
  json.string(stream);
  json.end_object();
  return text;
}

}  // namespace

std::optional<deliveries::Record> lambda_record(JsonElement record, std::string_view stream) {
  JsonObject members;
  JsonObject change;
  std::string_view number;
  double time = 0;
  if (record.get(members) != simdjson::SUCCESS ||
      members.at_key("dynamodb").get(change) != simdjson::SUCCESS ||
      change.at_key("SequenceNumber").get(number) != simdjson::SUCCESS ||
      change.at_key("ApproximateCreationDateTime").get(time) != simdjson::SUCCESS)
    return std::nullopt;
  const auto since_epoch = base::duration_of(time);
  if (!since_epoch) return std::nullopt;
  const auto seconds = std::chrono::floor<std::chrono::seconds>(*since_epoch).count();
  const auto keys = aws::member_of(change, "Keys");
  return deliveries::Record{.number = std::string(number),
                            .moment = base::TimePoint(*since_epoch),
                            .key = keys ? simdjson::minify(*keys) : std::string(),
                            .payload = payload_of(members, change, seconds, stream)};
}

}  // namespace dinette::app
