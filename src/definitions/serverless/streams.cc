#include "streams.h"

#include <array>
#include <map>
#include <string>
#include <utility>

#include "../cloudformation/resource_types.h"
#include "../node_members.h"
#include "template_of_service.h"

namespace dinette::definitions::serverless {
namespace {

/// Members of a `stream` and of the mapping that it becomes.
constexpr std::array<std::pair<std::string_view, std::string_view>, 8> stream_members = {{
    {"batchSize", "BatchSize"},
    {"startingPosition", "StartingPosition"},
    {"enabled", "Enabled"},
    {"batchWindow", "MaximumBatchingWindowInSeconds"},
    {"maximumRetryAttempts", "MaximumRetryAttempts"},
    {"maximumRecordAgeInSeconds", "MaximumRecordAgeInSeconds"},
    {"parallelizationFactor", "ParallelizationFactor"},
    {"bisectBatchOnFunctionError", "BisectBatchOnFunctionError"},
}};

Node filter_criteria(const Node& patterns) {
  Node filters = Node::list();
  for (const Node& pattern : patterns.elements()) {
    filters.append(Node::map({{"Pattern", Node::text(to_json(pattern))}}));
  }
  return Node::map({{"Filters", std::move(filters)}});
}

Node properties_of(const std::string& function, const Node& stream) {
  Node properties;
  properties.set("FunctionName", Node::text(function));
  // What Serverless sets if the file does not.
  properties.set("StartingPosition", Node::text("TRIM_HORIZON"));
  properties.set("BatchSize", Node::number("10"));
  if (stream.is_text()) {
    properties.set("EventSourceArn", stream);
    return properties;
  }
  copy_member(stream, "arn", properties, "EventSourceArn");
  for (const auto& [member, property] : stream_members) copy_member(stream, member, properties, property);
  copy_member(stream, "tumblingWindowInSeconds", properties, "TumblingWindowInSeconds");
  if (is_set_at(stream, "functionResponseType"))
    properties.set("FunctionResponseTypes", Node::list({*stream.find("functionResponseType")}));
  if (is_set_at(stream, "filterPatterns"))
    properties.set("FilterCriteria", filter_criteria(*stream.find("filterPatterns")));
  return properties;
}

bool is_of_kinesis(const Node& stream) {
  if (text_at(stream, "type") == "kinesis") return true;
  const std::string arn = stream.is_text() ? stream.scalar() : text_at(stream, "arn");
  return arn.find(":kinesis:") != std::string::npos;
}

class StreamReader {
 public:
  StreamReader(Variables& variables, Node& resources, Definitions& to)
      : variables_(variables), resources_(resources), to_(to) {}

  /// Functions are a map, a list of maps, or files of these.
  void add_functions(const Node& written) {
    const auto functions = variables_.look(written);
    if (!functions) return;
    for (const Node& part : (*functions)->elements()) {
      if (const auto map = variables_.look(part)) add_map(**map);
    }
    add_map(**functions);
  }

 private:
  void add_map(const Node& functions) {
    for (const Node::Member& function : functions.members()) {
      const auto written = variables_.look(function.value);
      const Node* const events = written ? (*written)->find("events") : nullptr;
      if (events != nullptr) add_events(function.key, *events);
    }
  }

  void add_events(const std::string& function, const Node& written) {
    const auto events = variables_.look(written);
    if (!events) return;
    for (const Node& element : (*events)->elements()) {
      const auto event = variables_.look(element);
      const Node* const stream = event ? (*event)->find("stream") : nullptr;
      if (stream != nullptr) add_stream(function, *stream);
    }
  }

  void add_stream(const std::string& function, const Node& written) {
    const auto stream = variables_.resolve(written);
    if (!stream) {
      to_.warnings.push_back(
          {written.place(), "the stream of function \"" + function + "\" is left out: " + stream.error()});
    } else if (!is_of_kinesis(*stream)) {
      Node mapping;
      mapping.set("Type", Node::text(std::string(cloudformation::mapping_type)));
      mapping.set("Properties", properties_of(function, *stream));
      mapping.set_place(written.place());
      if (resources_.members().size() < most_resources)
        resources_.members().push_back({free_id(function), std::move(mapping)});
    }
  }

  /// Returns an id that no resource has.
  std::string free_id(const std::string& function) {
    int& number = numbers_[function];
    std::string id;
    do {
      id = ++number == 1 ? function : function + std::to_string(number);
    } while (resources_.has(id));
    return id;
  }

  Variables& variables_;
  Node& resources_;
  Definitions& to_;
  std::map<std::string, int> numbers_;  ///< of the last stream of a function
};

}  // namespace

void add_streams(const Node& service, Variables& variables, Node& template_resources, Definitions& to) {
  if (const Node* const functions = service.find("functions"))
    StreamReader(variables, template_resources, to).add_functions(*functions);
}

}  // namespace dinette::definitions::serverless
