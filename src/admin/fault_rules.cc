#include "admin/fault_rules.h"

#include <chrono>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

namespace dinette::admin {
namespace {

using store::FaultEffect;
using store::FaultRule;
using Phase = FaultEffect::Phase;

/// The largest whole number up to which JSON readers agree.
constexpr std::uint64_t most = std::uint64_t{1} << 53;
constexpr std::uint64_t longest_delay = 600'000;

/// Returns the text, which must not be empty if it is present; empty if it is absent.
Result<std::string> read_name(const Body& body, const std::string& name) {
  DINETTE_TRY(auto text, body.text(name));
  if (text && text->empty()) return bad_request("The member '" + name + "' must not be empty.");
  return std::move(text).value_or("");
}

Result<std::optional<std::uint64_t>> read_whole(const Body& body, const std::string& name,
                                                std::uint64_t least, std::uint64_t greatest = most) {
  DINETTE_TRY(const auto number, body.number(name));
  if (!number) return std::optional<std::uint64_t>();
  const bool within = *number >= static_cast<double>(least) && *number <= static_cast<double>(greatest);
  if (!within || *number != std::floor(*number)) {
    return bad_request("The member '" + name + "' must be a whole number from " + std::to_string(least) +
                       " to " + std::to_string(greatest) + ".");
  }
  return std::optional(static_cast<std::uint64_t>(*number));
}

Result<double> read_probability(const Body& body) {
  DINETTE_TRY(const auto probability, body.number("probability"));
  if (probability && !(*probability > 0 && *probability <= 1))
    return bad_request("The member 'probability' must be greater than 0, and at most 1.");
  return probability.value_or(1);
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
  DINETTE_TRY(effect.error, read_name(error, "type"));
  if (effect.error.empty()) return bad_request("The member 'error' must have a member 'type'.");
  DINETTE_TRY(effect.message, read_name(error, "message"));
  return {};
}

Result<FaultEffect> read_effect(const Body& body) {
  FaultEffect effect;
  DINETTE_TRY(effect.phase, read_phase(body));
  DINETTE_CHECK(read_error(body, effect));
  DINETTE_TRY(const auto delay, read_whole(body, "delayMilliseconds", 1, longest_delay));
  effect.delay = std::chrono::milliseconds(delay.value_or(0));
  DINETTE_TRY(const auto drop, body.flag("drop"));
  effect.drop = drop.value_or(false);
  if (effect.drop && !effect.error.empty()) return bad_request("Give either 'error' or 'drop', not both.");
  if (!effect.drop && effect.error.empty() && !delay)
    return bad_request("Give at least one of 'error', 'delayMilliseconds' and 'drop'.");
  return effect;
}

Result<FaultRule> read_rule(const Body& body) {
  DINETTE_CHECK(body.allow_only({"operation", "table", "nth", "times", "probability", "seed", "phase",
                                 "error", "delayMilliseconds", "drop"}));
  FaultRule rule;
  DINETTE_TRY(rule.operation, read_name(body, "operation"));
  DINETTE_TRY(rule.table, read_name(body, "table"));
  DINETTE_TRY(const auto nth, read_whole(body, "nth", 1));
  rule.nth = nth.value_or(1);
  DINETTE_TRY(rule.times, read_whole(body, "times", 1));
  if (nth && !rule.times) rule.times = 1;
  DINETTE_TRY(rule.probability, read_probability(body));
  DINETTE_TRY(const auto seed, read_whole(body, "seed", 0));
  rule.seed = seed.value_or(0);
  DINETTE_TRY(rule.effect, read_effect(body));
  return rule;
}

Result<FaultRule> read_known_rule(const Json& json, const FaultProblem& problem_of) {
  if (!json.is_object()) return bad_request("A rule must be an object.");
  DINETTE_TRY(FaultRule rule, read_rule(Body::of(json)));
  if (auto problem = problem_of(rule)) return bad_request(*std::move(problem));
  return rule;
}

}  // namespace

Result<std::vector<FaultRule>> read_rules(const Body& body, const FaultProblem& problem_of) {
  const Json& list = body.any("rules");
  if (!list.is_array()) return bad_request("The member 'rules' must be an array.");
  std::vector<FaultRule> rules;
  for (const Json& one : list) {
    auto rule = read_known_rule(one, problem_of);
    if (!rule) return bad_request("Rule " + std::to_string(rules.size() + 1) + ": " + rule.error().message);
    rules.push_back(std::move(rule).value());
  }
  return rules;
}

base::Result<std::vector<FaultRule>, std::string> read_fault_rules(std::string_view json,
                                                                   const FaultProblem& problem_of) {
  const auto read = [&]() -> Result<std::vector<FaultRule>> {
    DINETTE_TRY(const Body body, Body::parse(json));
    DINETTE_CHECK(body.allow_only({"rules"}));
    return read_rules(body, problem_of);
  };
  auto rules = read();
  if (!rules) return base::Failure{std::move(rules).error().message};
  return std::move(rules).value();
}

Json describe(const FaultRule& rule) {
  Json json = Json::object();
  if (!rule.operation.empty()) json["operation"] = rule.operation;
  if (!rule.table.empty()) json["table"] = rule.table;
  json["nth"] = rule.nth;
  if (rule.times) json["times"] = *rule.times;
  json["probability"] = rule.probability;
  json["seed"] = rule.seed;
  const FaultEffect& effect = rule.effect;
  json["phase"] = effect.phase == Phase::before ? "before" : "after";
  if (!effect.error.empty()) json["error"]["type"] = effect.error;
  if (!effect.message.empty()) json["error"]["message"] = effect.message;
  if (effect.delay.count() > 0) json["delayMilliseconds"] = effect.delay.count();
  if (effect.drop) json["drop"] = true;
  return json;
}

}  // namespace dinette::admin
