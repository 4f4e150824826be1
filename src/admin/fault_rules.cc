#include "admin/fault_rules.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>

namespace dinette::admin {
namespace {

using tenancy::FaultAttribute;
using tenancy::FaultDelay;
using tenancy::FaultEffect;
using tenancy::FaultRule;
using Phase = FaultEffect::Phase;

constexpr std::uint64_t longest_delay = 600'000;

Result<std::optional<double>> read_part(const Body& body, const std::string& name) {
  DINETTE_TRY(const auto part, body.number(name));
  if (part && !(*part > 0 && *part <= 1))
    return bad_request("The member '" + name + "' must be greater than 0, and at most 1.");
  return part;
}

Result<std::vector<std::uint64_t>> read_positions(const Json& list) {
  std::vector<std::uint64_t> positions;
  if (list.is_null()) return positions;
  const auto is_position = [](const Json& one) { return one.is_number_unsigned() && one > 0; };
  if (!list.is_array() || !std::ranges::all_of(list, is_position))
    return bad_request("The member 'items' must be an array of positions, from 1.");
  for (const Json& one : list) positions.push_back(one.get<std::uint64_t>());
  return positions;
}

bool leaves_items(const FaultEffect& effect) {
  return !effect.unprocessed.empty() || effect.unprocessed_share > 0;
}

/// Reads a key such as {"id": {"S": "order-7"}}.
Result<std::vector<FaultAttribute>> read_key(const Body& body) {
  const Json& member = body.any("key");
  std::vector<FaultAttribute> key;
  if (member.is_null()) return key;
  const auto is_value = [](const Json& one) {
    return one.is_object() && one.size() == 1 && one.front().is_string();
  };
  if (!member.is_object() || member.empty() || !std::ranges::all_of(member, is_value))
    return bad_request(R"(The member 'key' must be an object such as {"id": {"S": "order-7"}}.)");
  for (const auto& [name, value] : member.items())
    key.push_back({name, value.begin().key(), value.front().get<std::string>()});
  return key;
}

/// Reads the time to wait: a number, {"from", "to"} or {"mean"}, all in milliseconds.
Result<FaultDelay> read_delay(const Body& body) {
  const std::string name = "delayMilliseconds";
  using std::chrono::milliseconds;
  if (!body.any(name).is_object()) {
    DINETTE_TRY(const auto always, body.whole(name, 1, longest_delay));
    return FaultDelay::always(milliseconds(always.value_or(0)));
  }
  const Body drawn = Body::of(body.any(name));
  DINETTE_CHECK(drawn.allow_only({"from", "to", "mean"}));
  DINETTE_TRY(const auto from, drawn.whole("from", 0, longest_delay));
  DINETTE_TRY(const auto to, drawn.whole("to", 1, longest_delay));
  DINETTE_TRY(const auto mean, drawn.whole("mean", 1, longest_delay));
  const bool uniform = from && to && !mean && *from <= *to;
  if (!uniform && !(mean && !from && !to))
    return bad_request("The member '" + name +
                       "' must have 'from' and a 'to' that is no less, or only 'mean'.");
  return FaultDelay{milliseconds(from.value_or(0)), milliseconds(to.value_or(longest_delay)),
                    milliseconds(mean.value_or(0))};
}

Json describe(const FaultDelay& delay) {
  if (delay.mean.count() > 0) return {{"mean", delay.mean.count()}};
  if (delay.least == delay.most) return delay.most.count();
  return {{"from", delay.least.count()}, {"to", delay.most.count()}};
}

Result<Phase> read_phase(const Body& body) {
  DINETTE_TRY(const auto phase, body.text("phase"));
  if (!phase || *phase == "before") return Phase::before;
  if (*phase == "after") return Phase::after;
  return bad_request("The member 'phase' must be 'before' or 'after'.");
}

Result<void> read_error(const Body& body, FaultEffect& effect) {
  const Json& member = body.any("error");
  if (member.is_null()) return {};
  if (!member.is_object()) return bad_request("The member 'error' must be an object.");
  const Body error = Body::of(member);
  DINETTE_CHECK(error.allow_only({"type", "message"}));
  DINETTE_TRY(effect.error, error.name("type"));
  if (effect.error.empty()) return bad_request("The member 'error' must have a member 'type'.");
  DINETTE_TRY(effect.message, error.name("message"));
  return {};
}

Result<void> read_unprocessed(const Body& body, FaultEffect& effect) {
  const Json& member = body.any("unprocessed");
  if (member.is_null()) return {};
  if (!member.is_object()) return bad_request("The member 'unprocessed' must be an object.");
  const Body unprocessed = Body::of(member);
  DINETTE_CHECK(unprocessed.allow_only({"items", "share"}));
  DINETTE_TRY(effect.unprocessed, read_positions(unprocessed.any("items")));
  DINETTE_TRY(const auto share, read_part(unprocessed, "share"));
  effect.unprocessed_share = share.value_or(0);
  if (!leaves_items(effect)) return bad_request("The member 'unprocessed' must have 'items' or 'share'.");
  return {};
}

Result<FaultEffect> read_effect(const Body& body) {
  FaultEffect effect;
  DINETTE_TRY(effect.phase, read_phase(body));
  DINETTE_CHECK(read_error(body, effect));
  DINETTE_TRY(effect.delay, read_delay(body));
  DINETTE_TRY(const auto drop, body.flag("drop"));
  effect.drop = drop.value_or(false);
  DINETTE_CHECK(read_unprocessed(body, effect));
  const int outcomes = int{effect.drop} + int{!effect.error.empty()} + int{leaves_items(effect)};
  if (outcomes > 1) return bad_request("Give only one of 'error', 'drop' and 'unprocessed'.");
  if (leaves_items(effect) && effect.phase == Phase::after)
    return bad_request("The member 'unprocessed' takes effect only in the phase 'before'.");
  if (outcomes == 0 && effect.delay.most.count() == 0)
    return bad_request("Give at least one of 'error', 'delayMilliseconds', 'drop' and 'unprocessed'.");
  return effect;
}

Result<FaultRule> read_rule(const Body& body) {
  DINETTE_CHECK(body.allow_only({"operation", "table", "key", "nth", "times", "probability", "seed", "phase",
                                 "error", "delayMilliseconds", "drop", "unprocessed"}));
  FaultRule rule;
  DINETTE_TRY(rule.operation, body.name("operation"));
  DINETTE_TRY(rule.table, body.name("table"));
  DINETTE_TRY(rule.key, read_key(body));
  DINETTE_TRY(const auto nth, body.whole("nth", 1));
  rule.nth = nth.value_or(1);
  DINETTE_TRY(rule.times, body.whole("times", 1));
  if (nth && !rule.times) rule.times = 1;
  DINETTE_TRY(const auto probability, read_part(body, "probability"));
  rule.probability = probability.value_or(1);
  DINETTE_TRY(const auto seed, body.whole("seed", 0));
  rule.seed = seed.value_or(0);
  DINETTE_TRY(rule.effect, read_effect(body));
  return rule;
}

Result<FaultRule> read_known_rule(const Json& json, const PrepareFault& prepare) {
  if (!json.is_object()) return bad_request("A rule must be an object.");
  DINETTE_TRY(FaultRule rule, read_rule(Body::of(json)));
  if (auto problem = prepare(rule)) return bad_request(*std::move(problem));
  return rule;
}

}  // namespace

Result<std::vector<FaultRule>> read_rules(const Body& body, const PrepareFault& prepare) {
  const Json& list = body.any("rules");
  if (!list.is_array()) return bad_request("The member 'rules' must be an array.");
  std::vector<FaultRule> rules;
  for (const Json& one : list) {
    auto rule = read_known_rule(one, prepare);
    if (!rule) return bad_request("Rule " + std::to_string(rules.size() + 1) + ": " + rule.error().message);
    rules.push_back(std::move(rule).value());
  }
  return rules;
}

base::Result<std::vector<FaultRule>, std::string> read_fault_rules(std::string_view json,
                                                                   const PrepareFault& prepare) {
  const auto read = [&]() -> Result<std::vector<FaultRule>> {
    DINETTE_TRY(const Body body, Body::parse(json));
    DINETTE_CHECK(body.allow_only({"rules"}));
    return read_rules(body, prepare);
  };
  auto rules = read();
  if (!rules) return base::Failure{std::move(rules).error().message};
  return std::move(rules).value();
}

Json describe(const FaultRule& rule) {
  Json json = Json::object();
  if (!rule.operation.empty()) json["operation"] = rule.operation;
  if (!rule.table.empty()) json["table"] = rule.table;
  for (const FaultAttribute& one : rule.key) json["key"][one.name][one.type] = one.value;
  json["nth"] = rule.nth;
  if (rule.times) json["times"] = *rule.times;
  json["probability"] = rule.probability;
  json["seed"] = rule.seed;
  const FaultEffect& effect = rule.effect;
  json["phase"] = effect.phase == Phase::before ? "before" : "after";
  if (!effect.error.empty()) json["error"]["type"] = effect.error;
  if (!effect.message.empty()) json["error"]["message"] = effect.message;
  if (effect.delay.most.count() > 0) json["delayMilliseconds"] = describe(effect.delay);
  if (effect.drop) json["drop"] = true;
  if (!effect.unprocessed.empty()) json["unprocessed"]["items"] = effect.unprocessed;
  if (effect.unprocessed_share > 0) json["unprocessed"]["share"] = effect.unprocessed_share;
  return json;
}

}  // namespace dinette::admin
