#include "template_members.h"

#include <utility>

#include "../follow_ups.h"
#include "../members.h"
#include "../node_members.h"

namespace dinette::definitions {
namespace {

/// Takes a member out of the input; null if there is none.
Node take_member(Node& from, std::string_view key) {
  Node* const member = from.find(key);
  if (member == nullptr) return {};
  Node taken = std::move(*member);
  from.erase(key);
  return taken;
}

/// Returns false only for what says so: for what is no boolean, the conversion of members has the error.
bool is_turned_on(const Node& specification, std::string_view key) {
  const Node* const member = specification.find(key);
  const auto value = member == nullptr ? std::nullopt : as_boolean(*member);
  return member != nullptr && (!value || value->scalar() == "true");
}

Node value_at(const Node& map, std::string_view key) {
  const Node* const member = map.find(key);
  return member == nullptr ? Node() : *member;
}

/// Makes a follow-up of a member that is an input of that operation already.
void move_to(std::string_view operation, std::string_view member, std::string_view switched_by,
             TableDefinition& table) {
  Node specification = take_member(table.create, member);
  if (!is_turned_on(specification, switched_by)) return;
  Node input;
  input.set(member, std::move(specification));
  table.follow_ups.push_back({std::string(operation), std::move(input)});
}

void move_insights(TableDefinition& table) {
  const Node specification = take_member(table.create, "ContributorInsightsSpecification");
  if (is_turned_on(specification, "Enabled")) enable_insights({}, value_at(specification, "Mode"), table);
}

void move_kinesis(TableDefinition& table) {
  const Node specification = take_member(table.create, "KinesisStreamSpecification");
  if (specification.has("StreamArn"))
    enable_kinesis(value_at(specification, "StreamArn"),
                   value_at(specification, "ApproximateCreationDateTimePrecision"), table);
}

void rename_encryption(TableDefinition& table) {
  Node* const specification = table.create.find("SSESpecification");
  if (specification == nullptr || !specification->has("SSEEnabled")) return;
  specification->set("Enabled", take_member(*specification, "SSEEnabled"));
  if (specification->has("KMSMasterKeyId") && !specification->has("SSEType"))
    specification->set("SSEType", Node::text("KMS"));
}

void enable_stream(TableDefinition& table) {
  Node* const stream = table.create.find("StreamSpecification");
  if (stream != nullptr && is_set_at(*stream, "StreamViewType") && !stream->has("StreamEnabled"))
    stream->set("StreamEnabled", Node::boolean(true));
}

}  // namespace

void move_template_members(TableDefinition& table) {
  move_to("UpdateTimeToLive", "TimeToLiveSpecification", "Enabled", table);
  move_to("UpdateContinuousBackups", "PointInTimeRecoverySpecification", "PointInTimeRecoveryEnabled", table);
  move_insights(table);
  move_kinesis(table);
  rename_encryption(table);
  enable_stream(table);
}

}  // namespace dinette::definitions
