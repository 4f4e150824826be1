#include "description.h"

#include <algorithm>
#include <array>
#include <utility>

#include "../node_members.h"

namespace dinette::definitions {
namespace {

void copy_throughput(const Node& from, Node& to) {
  const Node* const throughput = from.find("ProvisionedThroughput");
  if (throughput == nullptr || !is_positive_at(*throughput, "ReadCapacityUnits")) return;
  Node units;
  copy_member(*throughput, "ReadCapacityUnits", units, "ReadCapacityUnits");
  copy_member(*throughput, "WriteCapacityUnits", units, "WriteCapacityUnits");
  to.set("ProvisionedThroughput", std::move(units));
}

/// Copies a limit of on-demand throughput; -1 says that there is none.
void copy_limits(const Node& from, Node& to) {
  const Node* const throughput = from.find("OnDemandThroughput");
  if (throughput == nullptr) return;
  Node limits;
  for (const std::string_view limit : {"MaxReadRequestUnits", "MaxWriteRequestUnits"}) {
    if (is_positive_at(*throughput, limit)) copy_member(*throughput, limit, limits, limit);
  }
  if (!limits.is_null()) to.set("OnDemandThroughput", std::move(limits));
}

Node index_of(const Node& description) {
  Node index;
  index.set_place(description.place());
  for (const std::string_view member : {"IndexName", "KeySchema", "Projection"}) {
    copy_member(description, member, index, member);
  }
  copy_throughput(description, index);
  copy_limits(description, index);
  return index;
}

/// The same of an index of vectors.
Node vector_index_of(const Node& described) {
  Node index;
  for (const std::string_view member :
       {"IndexName", "VectorAttribute", "Dimensions", "DistanceFunction", "SearchSchema", "Projection"})
    copy_member(described, member, index, member);
  return index;
}

void copy_indexes(const Node& from, std::string_view member, Node& to) {
  if (!is_set_at(from, member)) return;
  Node indexes = Node::list();
  for (const Node& index : from.find(member)->elements())
    indexes.append(member == "VectorIndexes" ? vector_index_of(index) : index_of(index));
  to.set(member, std::move(indexes));
}

void copy_billing(const Node& from, Node& to) {
  const Node* const summary = from.find("BillingModeSummary");
  if (summary != nullptr && is_set_at(*summary, "BillingMode")) {
    to.set("BillingMode", *summary->find("BillingMode"));
  } else if (!to.has("ProvisionedThroughput")) {
    to.set("BillingMode", Node::text("PAY_PER_REQUEST"));
  }
}

void copy_encryption(const Node& from, Node& to) {
  const Node* const encryption = from.find("SSEDescription");
  if (encryption == nullptr || text_at(*encryption, "SSEType") != "KMS") return;
  if (const std::string status = text_at(*encryption, "Status");
      status == "DISABLED" || status == "DISABLING")
    return;
  Node specification;
  specification.set("Enabled", Node::boolean(true));
  specification.set("SSEType", Node::text("KMS"));
  copy_member(*encryption, "KMSMasterKeyArn", specification, "KMSMasterKeyId");
  to.set("SSESpecification", std::move(specification));
}

}  // namespace

bool is_description(const Node& table) {
  constexpr std::array<std::string_view, 6> only_described = {
      "TableStatus", "TableArn", "CreationDateTime", "TableSizeBytes", "ItemCount", "BillingModeSummary"};
  return std::ranges::any_of(only_described, [&](std::string_view member) { return table.has(member); });
}

Node create_input_of(const Node& description) {
  Node create;
  for (const std::string_view member : {"TableName", "AttributeDefinitions", "KeySchema",
                                        "StreamSpecification", "DeletionProtectionEnabled"}) {
    copy_member(description, member, create, member);
  }
  copy_throughput(description, create);
  copy_billing(description, create);
  copy_limits(description, create);
  copy_indexes(description, "LocalSecondaryIndexes", create);
  copy_indexes(description, "GlobalSecondaryIndexes", create);
  copy_indexes(description, "VectorIndexes", create);
  copy_encryption(description, create);
  if (const Node* const table_class = description.find("TableClassSummary"))
    copy_member(*table_class, "TableClass", create, "TableClass");
  return create;
}

}  // namespace dinette::definitions
