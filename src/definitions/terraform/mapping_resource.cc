#include "mapping_resource.h"

#include <array>
#include <string_view>
#include <utility>

#include "../cloudformation/resource_types.h"
#include "../node_members.h"

namespace dinette::definitions {
namespace {

constexpr std::string_view lambda_type = "aws_lambda_function";

/// Attributes of a mapping and the members of CreateEventSourceMapping that they are. States have 0 for a
/// number that is not set.
struct MappingMember {
  std::string_view attribute;
  std::string_view member;
  bool is_never_0 = false;
};
constexpr std::array<MappingMember, 10> mapping_members = {{
    {"starting_position", "StartingPosition"},
    {"batch_size", "BatchSize", true},
    {"enabled", "Enabled"},
    {"maximum_batching_window_in_seconds", "MaximumBatchingWindowInSeconds"},
    {"maximum_record_age_in_seconds", "MaximumRecordAgeInSeconds", true},
    {"maximum_retry_attempts", "MaximumRetryAttempts"},
    {"parallelization_factor", "ParallelizationFactor", true},
    {"bisect_batch_on_function_error", "BisectBatchOnFunctionError"},
    {"tumbling_window_in_seconds", "TumblingWindowInSeconds"},
    {"function_response_types", "FunctionResponseTypes"},
}};

Node filters_of(const Node& values) {
  Node filters = Node::list();
  const Node* const criteria = block_of(values, "filter_criteria");
  const Node* const blocks = criteria == nullptr ? nullptr : criteria->find("filter");
  if (blocks == nullptr) return filters;
  for (const Node& block : blocks->elements()) {
    Node filter;
    copy_member(block, "pattern", filter, "Pattern");
    if (!filter.is_null()) filters.append(std::move(filter));
  }
  return filters;
}

Node settings_of(const Node& values) {
  Node settings = Node::map();
  for (const MappingMember& mapped : mapping_members) {
    if (mapped.is_never_0 && text_at(values, mapped.attribute) == "0") continue;
    copy_member(values, mapped.attribute, settings, mapped.member);
  }
  if (Node filters = filters_of(values); !filters.elements().empty()) {
    Node criteria;
    criteria.set("Filters", std::move(filters));
    settings.set("FilterCriteria", std::move(criteria));
  }
  return settings;
}

}  // namespace

MappingReader::MappingReader(const std::vector<Resource>& resources, const TableLinks& tables,
                             const Surroundings& surroundings)
    : tables_(tables), surroundings_(surroundings), functions_by_address_(lambda_type) {
  for (const Resource& resource : resources) {
    if (resource.type != lambda_type) continue;
    functions_by_address_.add(resource.address);
    functions_.push_back(&resource);
  }
}

std::optional<cloudformation::EventSourceMapping> MappingReader::read(const Resource& mapping) const {
  const TableLink link = tables_.find(mapping, "event_source_arn");
  if (link.name.empty()) return {};  // another kind of source
  return cloudformation::EventSourceMapping{
      mapping.address, cloudformation::stream_arn_of(link.name, surroundings_.region, surroundings_.account),
      function_of(mapping), settings_of(mapping.values), mapping.place};
}

/// Returns the name or ARN of a mapping's function; if neither is known, to what the mapping refers.
std::string MappingReader::function_of(const Resource& mapping) const {
  std::string name = text_at(mapping.values, "function_name");
  const auto references = mapping.references.find("function_name");
  if (!name.empty() || references == mapping.references.end()) return name;
  for (const std::string& reference : references->second) {
    const auto found = functions_by_address_.find(reference, mapping.address);
    if (!found) continue;
    name = text_at(functions_[*found]->values, "function_name");
    return name.empty() ? functions_[*found]->address : name;
  }
  return references->second.empty() ? std::string() : references->second.front();
}

}  // namespace dinette::definitions
