#include "app/tables/normal_form.h"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <utility>

#include "app/tables/members.h"

namespace dinette::app {
namespace {

using definitions::Node;

constexpr std::string_view provisioned = "PROVISIONED";
constexpr std::string_view on_demand = "PAY_PER_REQUEST";
constexpr std::string_view default_recovery_days = "35";

/// Returns a map of those members that there are; null if there are none.
Node members_of(const Node* from, std::initializer_list<std::string_view> names) {
  Node made;
  for (const std::string_view name : names) {
    const Node* const value = from == nullptr ? nullptr : from->find(name);
    if (value != nullptr && !value->is_null()) made.set(name, *value);
  }
  return made;
}

void set_if_any(Node& table, std::string_view name, Node value) {
  if (!value.is_null()) table.set(name, std::move(value));
}

/// Returns the list sorted by a member of its elements; null if it is empty.
Node sorted_by(std::string_view key, const Node* list) {
  std::vector<Node> elements = elements_of(list);
  if (elements.empty()) return {};
  std::ranges::stable_sort(elements, [key](const Node& left, const Node& right) {
    return scalar_of(left.find(key)) < scalar_of(right.find(key));
  });
  return Node::list(std::move(elements));
}

Node sorted_texts(const Node& list) {
  std::vector<Node> elements = list.elements();
  std::ranges::sort(elements, {}, &Node::scalar);
  return Node::list(std::move(elements));
}

/// -1 says that there is no limit, as its absence does.
Node on_demand_limits(const Node* from) {
  Node limits = members_of(from, {"MaxReadRequestUnits", "MaxWriteRequestUnits"});
  std::erase_if(limits.members(), [](const Node::Member& limit) { return limit.value.scalar() == "-1"; });
  return limits.members().empty() ? Node() : limits;
}

/// Copies the throughput that counts for such a table, its own or that of an index.
void copy_throughput(const Node& from, bool is_on_demand, Node& to) {
  if (is_on_demand) {
    set_if_any(to, "OnDemandThroughput", on_demand_limits(from.find("OnDemandThroughput")));
  } else {
    set_if_any(to, "ProvisionedThroughput",
               members_of(from.find("ProvisionedThroughput"), {"ReadCapacityUnits", "WriteCapacityUnits"}));
  }
}

Node index_form(const Node& index) {
  Node made = members_of(&index, {"IndexName", "KeySchema", "Projection", "VectorAttribute", "Dimensions",
                                  "DistanceFunction", "SearchSchema"});
  Node* const projection = made.find("Projection");
  if (projection == nullptr) return made;
  *projection = members_of(projection, {"ProjectionType", "NonKeyAttributes"});
  if (Node* const attributes = projection->find("NonKeyAttributes")) *attributes = sorted_texts(*attributes);
  return made;
}

void copy_indexes(const Node& whole, bool is_on_demand, Node& to) {
  std::vector<Node> global;
  for (const Node& index : elements_of(whole.find("GlobalSecondaryIndexes"))) {
    global.push_back(index_form(index));
    copy_throughput(index, is_on_demand, global.back());
  }
  std::vector<Node> local;
  for (const Node& index : elements_of(whole.find("LocalSecondaryIndexes")))
    local.push_back(index_form(index));
  std::vector<Node> of_vectors;
  for (const Node& index : elements_of(whole.find("VectorIndexes"))) of_vectors.push_back(index_form(index));
  const Node globals = Node::list(std::move(global));
  const Node locals = Node::list(std::move(local));
  set_if_any(to, "GlobalSecondaryIndexes", sorted_by("IndexName", &globals));
  set_if_any(to, "LocalSecondaryIndexes", sorted_by("IndexName", &locals));
  const Node vectors = Node::list(std::move(of_vectors));
  set_if_any(to, "VectorIndexes", sorted_by("IndexName", &vectors));
}

void copy_stream(const Node& whole, Node& to) {
  const Node* const stream = whole.find("StreamSpecification");
  if (stream != nullptr && is_true(stream->find("StreamEnabled")))
    to.set("StreamSpecification", members_of(stream, {"StreamEnabled", "StreamViewType"}));
}

void copy_encryption(const Node& whole, Node& to) {
  const Node* const encryption = whole.find("SSESpecification");
  if (encryption == nullptr || !is_true(encryption->find("Enabled"))) return;
  Node made = Node::map({{"Enabled", Node::boolean(true)}, {"SSEType", Node::text("KMS")}});
  if (const Node* const key = encryption->find("KMSMasterKeyId")) made.set("KMSMasterKeyId", *key);
  to.set("SSESpecification", std::move(made));
}

void copy_time_to_live(const Node& whole, Node& to) {
  const Node* const expiry = whole.find("TimeToLiveSpecification");
  if (expiry != nullptr && is_true(expiry->find("Enabled")))
    to.set("TimeToLiveSpecification", members_of(expiry, {"Enabled", "AttributeName"}));
}

void copy_recovery(const Node& whole, Node& to) {
  const Node* const recovery = whole.find("PointInTimeRecoverySpecification");
  if (recovery == nullptr || !is_true(recovery->find("PointInTimeRecoveryEnabled"))) return;
  Node made = members_of(recovery, {"PointInTimeRecoveryEnabled", "RecoveryPeriodInDays"});
  if (scalar_of(made.find("RecoveryPeriodInDays")) == default_recovery_days)
    made.erase("RecoveryPeriodInDays");
  to.set("PointInTimeRecoverySpecification", std::move(made));
}

/// Copies the tags that users set; CloudFormation adds some whose keys begin with `aws:`.
void copy_tags(const Node& whole, Node& to) {
  std::vector<Node> tags;
  for (const Node& tag : elements_of(whole.find("Tags"))) {
    if (!scalar_of(tag.find("Key")).starts_with("aws:")) tags.push_back(tag);
  }
  const Node kept = Node::list(std::move(tags));
  set_if_any(to, "Tags", sorted_by("Key", &kept));
}

}  // namespace

Node normal_form(const definitions::TableDefinition& table) {
  const Node whole = whole_table(table);
  const bool is_on_demand = scalar_of(whole.find("BillingMode")) == on_demand;
  Node made = members_of(&whole, {"TableName", "KeySchema"});
  set_if_any(made, "AttributeDefinitions", sorted_by("AttributeName", whole.find("AttributeDefinitions")));
  made.set("BillingMode", Node::text(std::string(is_on_demand ? on_demand : provisioned)));
  copy_throughput(whole, is_on_demand, made);
  copy_indexes(whole, is_on_demand, made);
  copy_stream(whole, made);
  copy_encryption(whole, made);
  if (const auto kind = scalar_of(whole.find("TableClass")); !kind.empty() && kind != "STANDARD")
    made.set("TableClass", Node::text(std::string(kind)));
  if (is_true(whole.find("DeletionProtectionEnabled")))
    made.set("DeletionProtectionEnabled", Node::boolean(true));
  copy_time_to_live(whole, made);
  copy_recovery(whole, made);
  copy_tags(whole, made);
  return made;
}

}  // namespace dinette::app
