#include "admin/triggers.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "dinette/base/time_text.h"
#include "dinette/lambda/triggers.h"
#include "dinette/observe/body_text.h"

#include "admin/trigger_list.h"

namespace dinette::admin {
namespace {

using lambda::DeliveryLog;
using lambda::DeliveryRecord;
using lambda::TriggerState;

base::Failure<Error> no_triggers() {
  return not_found("This server has no triggers.");
}

std::string_view result_text(DeliveryRecord::Result result) {
  switch (result) {
    case DeliveryRecord::Result::done:
      return "done";
    case DeliveryRecord::Result::partly:
      return "partly";
    case DeliveryRecord::Result::failed:
      return "failed";
    case DeliveryRecord::Result::unavailable:
      return "unavailable";
    case DeliveryRecord::Result::discarded:
      break;
  }
  return "discarded";
}

Json describe_positions(const TriggerState& one) {
  Json positions = Json::array();
  for (const lambda::TriggerPosition& position : one.positions)
    positions.push_back({{"shard", position.shard}, {"after", position.after}});
  return positions;
}

Json describe_state(const TriggerState& one) {
  Json json = {{"trigger", admin::describe(one.trigger)}, {"id", one.id}, {"ofApi", one.of_api}};
  if (!one.function_arn.empty()) json["functionArn"] = one.function_arn;
  if (!one.stream_arn.empty()) json["streamArn"] = one.stream_arn;
  if (!one.place.empty()) json["place"] = one.place;
  json["state"] = one.state;
  json["lastProcessingResult"] = one.last_result;
  if (!one.reason.empty()) json["reason"] = one.reason;
  json["positions"] = describe_positions(one);
  json["counts"] = {{"records", one.counts.records},
                    {"calls", one.counts.calls},
                    {"failures", one.counts.failures},
                    {"discarded", one.counts.discarded}};
  return json;
}

Json describe_text(std::string_view whole) {
  const auto beginning = observe::BodyText::of(whole);
  return {{"text", beginning.text}, {"bytes", beginning.bytes}, {"cut", beginning.cut()}};
}

Json describe_delivery(const DeliveryRecord& one) {
  Json json = {{"number", one.number},    {"time", base::format_time(one.time)},
               {"trigger", one.mapping},  {"functionArn", one.function},
               {"streamArn", one.stream}, {"shard", one.shard},
               {"batch", one.batch}};
  if (!one.first.empty()) json["first"] = one.first;
  if (!one.last.empty()) json["last"] = one.last;
  json["records"] = one.records;
  json["tries"] = one.tries;
  json["result"] = result_text(one.result);
  json["milliseconds"] = one.duration.count();
  if (!one.reason.empty()) json["reason"] = one.reason;
  if (one.repeats != 0) json["repeats"] = one.repeats;
  json["event"] = describe_text(one.event ? std::string_view(*one.event) : std::string_view());
  json["answer"] = describe_text(one.answer);
  return json;
}

Reply reply_of_triggers(const std::vector<TriggerState>& states, const NamedWorld& chosen) {
  Json list = Json::array();
  for (const TriggerState& one : states) list.push_back(describe_state(one));
  return {{{"world", chosen.name}, {"triggers", std::move(list)}}};
}

Answer current_triggers(lambda::Triggers& triggers, const NamedWorld& chosen) {
  DINETTE_ADMIN_STORED(const auto states, triggers.list(*chosen.world));
  return reply_of_triggers(states, chosen);
}

Reply reply_of_deliveries(const DeliveryLog::Page& page, const NamedWorld& chosen) {
  Json list = Json::array();
  for (const auto& one : page.deliveries) list.push_back(describe_delivery(*one));
  return {{{"world", chosen.name}, {"deliveries", std::move(list)}, {"last", page.last}}};
}

/// Returns the UUID of the mapping of a trigger, which is named by it or by its name; empty for every
/// trigger.
Result<std::string> mapping_of(lambda::Triggers& triggers, const NamedWorld& chosen, const Call& call) {
  const auto wanted = call.query.find("trigger");
  if (!wanted) return std::string();
  DINETTE_ADMIN_STORED(const auto states, triggers.list(*chosen.world));
  const auto found = std::ranges::find_if(
      states, [&](const TriggerState& one) { return one.id == *wanted || one.trigger.name == *wanted; });
  if (found == states.end()) return bad_request("There is no trigger '" + std::string(*wanted) + "'.");
  return found->id;
}

/// Refuses programs, which only files on the command line may name. Those that there are may be put again as
/// they were listed.
Result<void> check_commands(const std::vector<lambda::Trigger>& wanted,
                            const std::vector<TriggerState>& existing) {
  for (const lambda::Trigger& one : wanted) {
    const auto is_same = [&one](const TriggerState& state) {
      return state.trigger.name == one.name && state.trigger.command == one.command;
    };
    if (!one.command.empty() && std::ranges::none_of(existing, is_same))
      return bad_request("The program of '" + one.name +
                         "' is refused: only the file of --triggers may name programs.");
  }
  return {};
}

Result<bool> flag_parameter(const Call& call, std::string_view name) {
  const auto text = call.query.find(name);
  if (!text || *text == "false") return false;
  if (*text == "true") return true;
  return bad_request("The parameter '" + std::string(name) + "' is true or false.");
}

}  // namespace

Answer list_triggers(State& state, const Call& call) {
  DINETTE_TRY(const NamedWorld chosen, chosen_world(state, call));
  if (state.options.triggers == nullptr) return reply_of_triggers({}, chosen);
  return current_triggers(*state.options.triggers, chosen);
}

Answer put_triggers(State& state, const Call& call) {
  if (state.options.triggers == nullptr) return no_triggers();
  DINETTE_CHECK(call.body.allow_only({"world", "triggers"}));
  DINETTE_TRY(auto list, read_trigger_list(call.body));
  DINETTE_TRY(const NamedWorld chosen, chosen_world(state, call));
  DINETTE_ADMIN_STORED(const auto existing, state.options.triggers->list(*chosen.world));
  DINETTE_CHECK(check_commands(list, existing));
  DINETTE_ADMIN_STORED(const auto problem, state.options.triggers->replace(*chosen.world, std::move(list)));
  if (problem) return bad_request(*problem);
  return current_triggers(*state.options.triggers, chosen);
}

Answer list_deliveries(State& state, const Call& call) {
  DINETTE_TRY(const NamedWorld chosen, chosen_world(state, call));
  if (state.options.triggers == nullptr) return reply_of_deliveries({}, chosen);
  DeliveryLog::Question question;
  DINETTE_TRY(question.after, number_parameter(call, "after", 0, {0, largest_integer}));
  DINETTE_TRY(question.failed_only, flag_parameter(call, "failed"));
  DINETTE_TRY(question.mapping, mapping_of(*state.options.triggers, chosen, call));
  // A trigger without a mapping has delivered nothing.
  if (question.mapping.empty() && call.query.find("trigger")) return reply_of_deliveries({}, chosen);
  return reply_of_deliveries(state.options.triggers->deliveries(*chosen.world, question), chosen);
}

Answer repeat_delivery(State& state, const Call& call) {
  if (state.options.triggers == nullptr) return no_triggers();
  DINETTE_CHECK(call.body.allow_only({"world"}));
  DINETTE_TRY(const NamedWorld chosen, chosen_world(state, call));
  std::uint64_t number = 0;
  const std::string& text = call.argument;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = read.ec == std::errc() && read.ptr == text.data() + text.size();
  const auto repeated = whole ? state.options.triggers->repeat(*chosen.world, number) : nullptr;
  if (repeated == nullptr)
    return not_found("There is no delivery '" + text +
                     "' any more, or it is not known where its function is.");
  return Reply{describe_delivery(*repeated)};
}

}  // namespace dinette::admin
