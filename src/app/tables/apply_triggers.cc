#include "app/tables/apply_triggers.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "dinette/definitions/read_node.h"
#include "dinette/http/query_string.h"

#include "app/tables/application.h"
#include "app/tables/members.h"
#include "app/transfer/table_states.h"

namespace dinette::app {
namespace {

using definitions::Node;
using definitions::Trigger;
using Outcome = AppliedResource::Outcome;

// docs/service/triggers.md section 1.
constexpr std::string_view path_of_mappings = "/2015-03-31/event-source-mappings";

/// What only a new mapping takes, or no answer shows.
constexpr std::array<std::string_view, 3> settings_of_beginning{"StartingPosition",
                                                                "StartingPositionTimestamp", "Tags"};

ServiceCall mapping_call(std::string operation, std::string method, std::string further_path) {
  ServiceCall call{
      .service = "lambda", .operation = std::move(operation), .method = std::move(method), .path = {}};
  call.path = std::string(path_of_mappings) + further_path;
  return call;
}

/// Returns what a mapping has of this setting, in the form that requests have.
Node setting_of(const Node& mapping, std::string_view setting) {
  if (setting == "Enabled")
    return Node::boolean(!scalar_of(mapping.find("State")).starts_with("Disabl"));  // Disabled, Disabling
  if (const Node* const found = mapping.find(setting)) return *found;
  return setting == "FilterCriteria" ? Node::map({{"Filters", Node::list()}}) : Node();
}

/// Returns the settings that a mapping does not have as the trigger says.
Node changed_settings(const Trigger& trigger, const Node& mapping) {
  Node changed = Node::map();
  for (const Node::Member& setting : trigger.settings.members()) {
    if (std::ranges::find(settings_of_beginning, setting.key) != settings_of_beginning.end()) continue;
    if (!(setting_of(mapping, setting.key) == setting.value)) changed.set(setting.key, setting.value);
  }
  return changed;
}

class TriggerApplication final : public Application {
 public:
  TriggerApplication(const Transfer& transfer, const Trigger& trigger, OnDifference existing)
      : Application(transfer, existing), trigger_(trigger) {
    applied_.kind = AppliedResource::Kind::trigger;
    applied_.name = trigger.id + ": " + trigger.table + " -> " + trigger.function;
    applied_.id = applied_.name;
  }

 private:
  Presence look() override {
    stream_ = stream_of_its_table();
    if (stream_.empty()) return Presence::unknown;
    const auto mappings = call(mapping_call("ListEventSourceMappings", "GET", query_for_it()));
    if (!mappings) return Presence::unknown;
    const auto& found = elements_of(mappings->find("EventSourceMappings"));
    if (found.empty()) return Presence::absent;
    mapping_ = found.front();
    return Presence::present;
  }

  /// Returns the ARN; empty, with an error, if there is no stream.
  std::string stream_of_its_table() {
    const auto description = describe_if_there(transfer_, trigger_.table);
    if (!succeeded(description)) return {};
    const auto node =
        *description ? definitions::read_json(**description, "") : definitions::read_json("{}", "");
    std::string arn = node ? std::string(scalar_of(node->find("Table", "LatestStreamArn"))) : "";
    if (arn.empty())
      fail("the table " + trigger_.table + (*description ? " has no stream" : " is not there"));
    return arn;
  }

  std::string query_for_it() const {
    return "?EventSourceArn=" + http::percent_encode(stream_) +
           "&FunctionName=" + http::percent_encode(trigger_.function);
  }

  bool create() override {
    ServiceCall call_of_create = mapping_call("CreateEventSourceMapping", "POST", "");
    Node input = trigger_.settings;
    input.set("EventSourceArn", Node::text(stream_));
    input.set("FunctionName", Node::text(trigger_.function));
    call_of_create.body = definitions::to_json(input);
    return call(call_of_create).has_value();
  }

  bool compare() override {
    changed_ = changed_settings(trigger_, mapping_);
    for (const Node::Member& setting : changed_.members()) {
      const Node is = setting_of(mapping_, setting.key);
      applied_.differences.push_back({setting.key, short_text(&is), short_text(&setting.value), false});
    }
    return true;
  }

  bool update() override {
    const std::string uuid(scalar_of(mapping_.find("UUID")));
    ServiceCall call_of_update = mapping_call("UpdateEventSourceMapping", "PUT", "/" + uuid);
    call_of_update.body = definitions::to_json(changed_);
    return call(call_of_update).has_value();
  }

  /// Returns the output; nothing, with what became of the trigger, if there is none.
  std::optional<Node> call(const ServiceCall& made) {
    const auto output = transfer_.call(made);
    if (!output && output.error().not_served) {
      applied_.outcome = Outcome::skipped;
      applied_.remarks.emplace_back("it was left out: the server does not serve event source mappings");
      return {};
    }
    if (!succeeded(output)) return {};
    auto node = definitions::read_json(*output, "the output of " + made.operation);
    if (!node) {
      fail(node.error().text());
      return {};
    }
    return *std::move(node);
  }

  const Trigger& trigger_;
  std::string stream_;  ///< its ARN
  Node mapping_;        ///< as the server has it
  Node changed_;        ///< the settings that it does not have as the trigger says
};

}  // namespace

std::vector<AppliedResource> apply_triggers(const Transfer& transfer, const std::vector<Trigger>& triggers,
                                            OnDifference existing) {
  std::vector<AppliedResource> applied;
  for (const Trigger& trigger : triggers)
    applied.push_back(TriggerApplication(transfer, trigger, existing).run());
  return applied;
}

}  // namespace dinette::app
