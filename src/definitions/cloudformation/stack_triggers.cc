#include <algorithm>
#include <string_view>
#include <utility>

#include "event_source_mappings.h"
#include "resource_types.h"
#include "stack_reader.h"

/// What reads the streams of a stack's tables.
namespace dinette::definitions::cloudformation {
namespace {

std::string trigger_label(const std::string& id) {
  return "trigger \"" + id + '"';
}

/// Returns the text of a member, or an empty one.
std::string text_of(const Node& map, std::string_view name) {
  const Node* const found = map.find(name);
  return found == nullptr ? std::string() : found->scalar();
}

/// Returns true for `arn:<partition>:cloudformation:...`, the value of outputs of nested stacks.
bool is_arn_of_stack(std::string_view text) {
  constexpr std::string_view scheme = "arn:";
  if (!text.starts_with(scheme)) return false;
  text.remove_prefix(scheme.size());
  text.remove_prefix(std::min(text.find(':'), text.size()));
  return text.starts_with(":cloudformation:");
}

}  // namespace

void StackReader::read_triggers() {
  for (const Resource& resource : evaluator_.resources().members()) {
    if (evaluator_.exhausted()) break;
    const std::string_view type = type_of_resource(resource.value);
    const Node* const properties = resource.value.find("Properties");
    if (properties == nullptr) continue;
    if (type == mapping_type) trigger(resource, resource.key, *properties, "EventSourceArn");
    if (type == function_type) events(resource, *properties);
  }
  report_missing();
  for_each_nested([](StackReader& nested) { nested.read_triggers(); });
}

void StackReader::events(const Resource& function, const Node& properties) {
  const Node* const events = properties.find("Events");
  if (events == nullptr) return;
  for (const Node::Member& event : events->members()) {
    const Node* const settings = event.value.find("Properties");
    if (type_of_resource(event.value) != "DynamoDB" || settings == nullptr) continue;
    const std::string id = function.key + event.key;
    if (settings->has("Stream") && settings->has("StartingPosition")) {
      trigger(function, id, *settings, "Stream");
    } else {
      report(trigger_label(id), {event.value.place(), "it needs Stream and StartingPosition"});
    }
  }
}

void StackReader::trigger(const Resource& resource, const std::string& id, const Node& properties,
                          std::string_view source_member) {
  const Node* const source = properties.find(source_member);
  const std::string what = trigger_label(id);
  const auto arn = source == nullptr ? std::nullopt : source_of_trigger(resource, what, *source);
  if (!arn || !is_created(resource, what)) return;
  Evaluated settings = evaluator_.value(properties);
  if (has_missing(evaluator_.take_findings(), what)) return;
  if (!settings) return report(what, settings.error());
  const auto function = function_of_trigger(resource, *settings);
  if (has_missing(evaluator_.take_findings(), what)) return;
  if (!function) return report(what, function.error());
  if (function->empty()) return report(what, {properties.place(), "it has no FunctionName"});
  settings->erase(source_member);
  settings->erase("FunctionName");
  add_event_source_mapping({id, *arn, *function, *std::move(settings), properties.place()}, refused_, to_);
}

std::optional<std::string> StackReader::source_of_trigger(const Resource& resource, const std::string& what,
                                                          const Node& source) {
  const Evaluated arn = evaluator_.value(source);
  const bool missing = !evaluator_.take_findings().missing.empty();
  if (!arn.ok() && arn.error().not_created) return {};
  // Of outputs of nested stacks, only that they are some is known.
  if (arn.ok() && !missing && !is_arn_of_stack(arn->scalar()))
    return table_of_stream_arn(arn->scalar()).empty() ? std::nullopt : std::optional(arn->scalar());
  // It may be a queue, which needs no warning.
  const auto created = evaluator_.is_created(resource.value);
  evaluator_.take_findings();
  if (!created.ok() || *created) {
    // What is evaluated with a parameter that is missing is not worth a word of its own.
    const std::string reason = arn.ok() || missing ? "its source is not known" : arn.error().reason;
    to_.warnings.push_back({source.place(), what + " is left out: " + reason});
  }
  return {};
}

base::Result<std::string, EvaluationError> StackReader::function_of_trigger(const Resource& resource,
                                                                            const Node& settings) {
  if (type_of_resource(resource.value) == function_type) return evaluator_.name_of(resource.key);
  return text_of(settings, "FunctionName");
}

}  // namespace dinette::definitions::cloudformation
