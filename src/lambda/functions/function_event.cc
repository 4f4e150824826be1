#include "lambda/functions/function_event.h"

#include "dinette/aws/json_writer.h"
#include "dinette/base/time_text.h"

#include "lambda/functions/batch_verdict.h"

namespace dinette::lambda {
namespace {

/// For the commas of 10,000 records, and the names around them.
constexpr std::size_t frame_bytes = 16 << 10;

void append_flag(std::string& json, std::string_view name, bool value) {
  json.append(",\"").append(name).append("\":").append(value ? "true" : "false");
}

void append_text(std::string& json, std::string_view name, std::string_view text) {
  json.append(",\"").append(name).append("\":");
  aws::append_json_string(json, text);
}

}  // namespace

std::size_t most_batch_bytes(bool keeps_state) {
  return most_event_bytes - frame_bytes - (keeps_state ? most_state_bytes : 0);
}

std::string event_of(const deliveries::Batch& batch, std::string_view stream) {
  std::string json;
  std::size_t bytes = frame_bytes;
  for (const deliveries::Record& one : batch.records) bytes += one.payload.size() + 1;
  json.reserve(bytes);
  json = "{\"Records\":[";
  for (const deliveries::Record& one : batch.records) {
    if (&one != batch.records.data()) json += ',';
    json += one.payload;
  }
  json += ']';
  if (batch.window) {
    append_text(json, "shardId", batch.shard);
    append_text(json, "eventSourceARN", stream);
    json += ",\"window\":";
    append_window(json, *batch.window);
    json.append(",\"state\":").append(batch.window->state.empty() ? "{}" : batch.window->state);
    append_flag(json, "isFinalInvokeForWindow", batch.window->is_final);
    append_flag(json, "isWindowTerminatedEarly", batch.window->is_early);
  }
  json += '}';
  return json;
}

void append_window(std::string& json, const deliveries::TumblingWindow& window) {
  json.append("{\"start\":\"").append(whole_second(window.begin));
  json.append("\",\"end\":\"").append(whole_second(window.end)).append("\"}");
}

std::string whole_second(base::TimePoint moment) {
  const std::string text = base::format_time(moment);
  return text.substr(0, text.find('.')) + "Z";
}

}  // namespace dinette::lambda
