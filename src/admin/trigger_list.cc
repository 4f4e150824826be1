#include "admin/trigger_list.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "dinette/admin/api.h"
#include "dinette/base/iso_time.h"
#include "dinette/base/time_text.h"
#include "dinette/http/url.h"

namespace dinette::admin {
namespace {

using deliveries::StartingPosition;
using lambda::Trigger;
using std::chrono::seconds;

// The limits of Lambda: docs/service/triggers.md section 1.1.
constexpr std::uint64_t most_records = 10'000;
constexpr std::uint64_t most_retries = 10'000;
constexpr std::uint64_t longest_batching = 300;
constexpr std::uint64_t longest_window = 900;
constexpr std::uint64_t most_parts = 10;
constexpr std::uint64_t least_age = 60;
constexpr std::uint64_t greatest_age = 604'800;
constexpr std::size_t most_filters_of_trigger = 5;

constexpr std::array<std::pair<StartingPosition, std::string_view>, 3> position_names{{
    {StartingPosition::trim_horizon, "TRIM_HORIZON"},
    {StartingPosition::latest, "LATEST"},
    {StartingPosition::at_timestamp, "AT_TIMESTAMP"},
}};
constexpr const char* of_reports = "ReportBatchItemFailures";

std::string_view name_of(StartingPosition position) {
  return std::ranges::find(position_names, position, &decltype(position_names)::value_type::first)->second;
}

/// Reads a number of which -1 means that there is no limit.
Result<std::optional<std::uint64_t>> read_limit(const Body& body, const std::string& name,
                                                std::uint64_t least, std::uint64_t greatest) {
  if (body.any(name) == -1) return std::optional<std::uint64_t>();
  return body.whole(name, least, greatest);
}

Result<std::vector<std::string>> read_texts(const Body& body, const std::string& name) {
  const Json& list = body.any(name);
  std::vector<std::string> texts;
  if (list.is_null()) return texts;
  if (!list.is_array() || !std::ranges::all_of(list, [](const Json& one) { return one.is_string(); }))
    return bad_request("The member '" + name + "' must be an array of strings.");
  for (const Json& one : list) texts.push_back(one.get<std::string>());
  return texts;
}

/// Returns the members of an object that may be absent.
Result<Body> read_object(const Body& body, const std::string& name) {
  const Json& member = body.any(name);
  if (member.is_null()) return Body();
  if (!member.is_object()) return bad_request("The member '" + name + "' must be an object.");
  return Body::of(member);
}

Result<void> read_source(const Body& body, Trigger& trigger) {
  DINETTE_TRY(trigger.table, body.name("table"));
  DINETTE_TRY(trigger.stream, body.name("stream"));
  if (trigger.table.empty() == trigger.stream.empty())
    return bad_request("Give one of 'table', whose newest stream is read, and 'stream', an ARN.");
  if (!trigger.stream.empty() && !trigger.stream.starts_with("arn:"))
    return bad_request("The member 'stream' must be the ARN of a stream; 'table' takes the name of a table.");
  return {};
}

Result<void> read_function(const Body& body, Trigger& trigger) {
  DINETTE_TRY(trigger.function, body.name("function"));
  DINETTE_TRY(trigger.url, body.name("url"));
  DINETTE_TRY(trigger.command, read_texts(body, "command"));
  const int given =
      int{!trigger.function.empty()} + int{!trigger.url.empty()} + int{!trigger.command.empty()};
  if (given != 1) return bad_request("Give one of 'url', 'function' and 'command'.");
  if (!trigger.url.empty() && !http::parse_url(trigger.url))
    return bad_request("The member 'url' must be a URL, such as http://127.0.0.1:3000/orders.");
  return {};
}

Result<void> read_position(const Body& body, Trigger& trigger) {
  DINETTE_TRY(const auto name, body.text("startingPosition"));
  DINETTE_TRY(const auto time, body.text("startingPositionTimestamp"));
  if (name) {
    const auto* const found =
        std::ranges::find(position_names, *name, &decltype(position_names)::value_type::second);
    if (found == position_names.end())
      return bad_request("The member 'startingPosition' must be TRIM_HORIZON, LATEST or AT_TIMESTAMP.");
    trigger.position = found->first;
  }
  if (time.has_value() != (trigger.position == StartingPosition::at_timestamp))
    return bad_request("The member 'startingPositionTimestamp' goes with AT_TIMESTAMP.");
  if (!time) return {};
  const auto moment = base::parse_time(*time);
  if (!moment)
    return bad_request("The member 'startingPositionTimestamp' must be a time such as 2026-01-31T08:15:00Z.");
  trigger.position_time = *moment;
  return {};
}

Result<void> read_batches(const Body& body, Trigger& trigger) {
  DINETTE_TRY(const auto records, body.whole("batchSize", 1, most_records));
  if (records) trigger.batch_size = static_cast<unsigned>(*records);
  DINETTE_TRY(const auto batching, body.whole("maximumBatchingWindowInSeconds", 0, longest_batching));
  trigger.batching_window = seconds(batching.value_or(0));
  DINETTE_TRY(const auto window, body.whole("tumblingWindowInSeconds", 0, longest_window));
  trigger.tumbling_window = seconds(window.value_or(0));
  DINETTE_TRY(const auto parts, body.whole("parallelizationFactor", 1, most_parts));
  if (parts) trigger.parallelization = static_cast<unsigned>(*parts);
  if (trigger.parallelization > 1 && trigger.tumbling_window.count() > 0)
    return bad_request("The member 'parallelizationFactor' must be 1 with 'tumblingWindowInSeconds'.");
  return {};
}

Result<void> read_failures(const Body& body, Trigger& trigger) {
  DINETTE_TRY(const auto age, read_limit(body, "maximumRecordAgeInSeconds", least_age, greatest_age));
  if (age) trigger.record_age = seconds(*age);
  DINETTE_TRY(const auto retries, read_limit(body, "maximumRetryAttempts", 0, most_retries));
  if (retries) trigger.retries = static_cast<unsigned>(*retries);
  DINETTE_TRY(const auto bisects, body.flag("bisectBatchOnFunctionError"));
  trigger.bisects = bisects.value_or(false);
  DINETTE_TRY(const auto types, read_texts(body, "functionResponseTypes"));
  trigger.reports_failures = !types.empty();
  if (types.size() > 1 || (!types.empty() && types.front() != of_reports))
    return bad_request("The member 'functionResponseTypes' may have only ReportBatchItemFailures.");
  DINETTE_TRY(const Body config, read_object(body, "destinationConfig"));
  DINETTE_CHECK(config.allow_only({"onFailure"}));
  DINETTE_TRY(const Body failure, read_object(config, "onFailure"));
  DINETTE_CHECK(failure.allow_only({"destination"}));
  DINETTE_TRY(trigger.on_failure, failure.name("destination"));
  const std::string& destination = trigger.on_failure;
  if (!destination.empty() && !destination.starts_with("arn:") && !http::parse_url(destination))
    return bad_request("The member 'destination' must be an ARN or a URL.");
  return {};
}

/// Reads patterns, which may be written as the API has them, as strings, or as the JSON that they are.
Result<void> read_filters(const Body& body, Trigger& trigger) {
  DINETTE_TRY(const Body criteria, read_object(body, "filterCriteria"));
  DINETTE_CHECK(criteria.allow_only({"filters"}));
  const Json& list = criteria.any("filters");
  if (list.is_null()) return {};
  if (!list.is_array() || list.size() > most_filters_of_trigger)
    return bad_request("The member 'filters' must be an array of at most " +
                       std::to_string(most_filters_of_trigger) + " filters.");
  for (const Json& one : list) {
    if (!one.is_object()) return bad_request("A filter must be an object.");
    const Body filter = Body::of(one);
    DINETTE_CHECK(filter.allow_only({"pattern"}));
    const Json& pattern = filter.any("pattern");
    if (!pattern.is_object() && !pattern.is_string())
      return bad_request(R"(The member 'pattern' must be a pattern such as {"eventName": ["INSERT"]}.)");
    trigger.filters.push_back(pattern.is_string() ? pattern.get<std::string>() : pattern.dump());
  }
  if (!trigger.filters.empty() && trigger.tumbling_window.count() > 0)
    return bad_request("The member 'filterCriteria' must be absent with 'tumblingWindowInSeconds'.");
  return {};
}

/// Returns the name of a trigger that has none.
std::string usual_name(const Trigger& trigger) {
  std::string who = trigger.function + trigger.url;
  for (const std::string& word : trigger.command) who += (who.empty() ? "" : " ") + word;
  return who + " on " + trigger.table + trigger.stream;
}

Result<Trigger> read_trigger(const Json& json) {
  if (!json.is_object()) return bad_request("A trigger must be an object.");
  const Body body = Body::of(json);
  DINETTE_CHECK(
      body.allow_only({"name", "table", "stream", "function", "url", "command", "enabled", "batchSize",
                       "maximumBatchingWindowInSeconds", "startingPosition", "startingPositionTimestamp",
                       "parallelizationFactor", "maximumRecordAgeInSeconds", "maximumRetryAttempts",
                       "bisectBatchOnFunctionError", "tumblingWindowInSeconds", "functionResponseTypes",
                       "destinationConfig", "filterCriteria"}));
  Trigger trigger;
  DINETTE_TRY(trigger.name, body.name("name"));
  DINETTE_CHECK(read_source(body, trigger));
  DINETTE_CHECK(read_function(body, trigger));
  DINETTE_TRY(const auto enabled, body.flag("enabled"));
  trigger.enabled = enabled.value_or(true);
  DINETTE_CHECK(read_position(body, trigger));
  DINETTE_CHECK(read_batches(body, trigger));
  DINETTE_CHECK(read_failures(body, trigger));
  DINETTE_CHECK(read_filters(body, trigger));
  if (trigger.name.empty()) trigger.name = usual_name(trigger);
  return trigger;
}

}  // namespace

Result<std::vector<Trigger>> read_trigger_list(const Body& body) {
  const Json& list = body.any("triggers");
  if (!list.is_array()) return bad_request("The member 'triggers' must be an array.");
  std::vector<Trigger> triggers;
  for (const Json& one : list) {
    const std::string place = "Trigger " + std::to_string(triggers.size() + 1) + ": ";
    auto trigger = read_trigger(one);
    if (!trigger) return bad_request(place + trigger.error().message);
    if (std::ranges::find(triggers, trigger->name, &Trigger::name) != triggers.end())
      return bad_request(place + "There is already one of the name '" + trigger->name +
                         "'; give them different names.");
    triggers.push_back(std::move(trigger).value());
  }
  return triggers;
}

base::Result<std::vector<Trigger>, std::string> read_triggers(std::string_view json) {
  const auto read = [&]() -> Result<std::vector<Trigger>> {
    DINETTE_TRY(const Body body, Body::parse(json));
    DINETTE_CHECK(body.allow_only({"triggers"}));
    return read_trigger_list(body);
  };
  auto triggers = read();
  if (!triggers) return base::Failure{std::move(triggers).error().message};
  return std::move(triggers).value();
}

Json describe(const Trigger& trigger) {
  Json json = {{"name", trigger.name}};
  if (!trigger.table.empty()) json["table"] = trigger.table;
  if (!trigger.stream.empty()) json["stream"] = trigger.stream;
  if (!trigger.function.empty()) json["function"] = trigger.function;
  if (!trigger.url.empty()) json["url"] = trigger.url;
  if (!trigger.command.empty()) json["command"] = trigger.command;
  json["enabled"] = trigger.enabled;
  json["batchSize"] = trigger.batch_size;
  json["maximumBatchingWindowInSeconds"] = trigger.batching_window.count();
  json["startingPosition"] = name_of(trigger.position);
  if (trigger.position == StartingPosition::at_timestamp)
    json["startingPositionTimestamp"] = base::format_time(trigger.position_time);
  json["parallelizationFactor"] = trigger.parallelization;
  json["maximumRecordAgeInSeconds"] = trigger.record_age ? trigger.record_age->count() : -1;
  json["maximumRetryAttempts"] = trigger.retries ? Json(*trigger.retries) : Json(-1);
  json["bisectBatchOnFunctionError"] = trigger.bisects;
  json["tumblingWindowInSeconds"] = trigger.tumbling_window.count();
  json["functionResponseTypes"] = Json::array();
  if (trigger.reports_failures) json["functionResponseTypes"].push_back(of_reports);
  if (!trigger.on_failure.empty()) json["destinationConfig"]["onFailure"]["destination"] = trigger.on_failure;
  for (const std::string& pattern : trigger.filters)
    json["filterCriteria"]["filters"].push_back({{"pattern", pattern}});
  return json;
}

}  // namespace dinette::admin
