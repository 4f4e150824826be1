#include "table_resource.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "definitions/members.h"

namespace dinette::definitions::cloudformation {
namespace {

/// Properties that CreateTable has as well.
constexpr auto same_members = std::to_array<std::string_view>(
    {"AttributeDefinitions", "BillingMode", "DeletionProtectionEnabled", "GlobalSecondaryIndexes",
     "KeySchema", "LocalSecondaryIndexes", "OnDemandThroughput", "ProvisionedThroughput", "TableClass",
     "Tags", "VectorIndexes", "WarmThroughput"});

/// Returns false only for what says so: for what is no boolean, the conversion of members has the error.
bool is_enabled(const Node& specification, std::string_view member) {
  const Node* const enabled = specification.find(member);
  const auto value = enabled == nullptr ? std::nullopt : as_boolean(*enabled);
  return enabled != nullptr && (!value || value->scalar() == "true");
}

/// Makes the input of CreateTable, and what follows it, from one property after the other.
class TableConversion {
 public:
  TableConversion(NamedResource table, Definitions& to) : table_(std::move(table)), to_(to) {
    definition_.id = table_.id;
    definition_.name = table_.name;
    definition_.place = table_.place;
    definition_.create = Node::map();
  }

  void run() {
    for (Node::Member& property : table_.properties.members()) convert(property.key, property.value);
    add_table(std::move(definition_), to_);
  }

 private:
  void convert(const std::string& name, Node& value) {
    if (name == "TableName") return;
    if (name == "KeySchema" && value.is_map()) return old_key_schema(value);
    if (name == "GlobalSecondaryIndexes") insights_of_indexes(value);
    if (std::ranges::find(same_members, name) != same_members.end()) return set(name, std::move(value));
    if (name == "StreamSpecification") return stream(value);
    if (name == "SSESpecification") return encryption(value);
    if (name == "TimeToLiveSpecification") return time_to_live(value);
    if (name == "PointInTimeRecoverySpecification") return point_in_time_recovery(value);
    if (name == "ContributorInsightsSpecification") return insights(value, {});
    if (name == "KinesisStreamSpecification") return kinesis(value);
    if (name == "ResourcePolicy") return policy(value);
    if (name == "ImportSourceSpecification")
      return warn_of(table_, "its import from S3 is left out, the table is empty", to_);
    warn_of(table_, "the property " + name + " is not known and left out", to_);
  }

  void set(std::string_view member, Node value) { definition_.create.set(member, std::move(value)); }

  void follow(std::string operation, Node input) {
    definition_.follow_ups.push_back({std::move(operation), std::move(input)});
  }

  /// `{HashKeyElement: {AttributeName, AttributeType}, RangeKeyElement: ...}` of old templates.
  void old_key_schema(const Node& keys) {
    Node schema = Node::list();
    Node definitions = Node::list();
    if (const Node* const given = table_.properties.find("AttributeDefinitions")) definitions = *given;
    for (const auto& [element, type] :
         {std::pair("HashKeyElement", "HASH"), std::pair("RangeKeyElement", "RANGE")}) {
      const Node* const key = keys.find(element);
      if (key == nullptr || !key->has("AttributeName")) continue;
      schema.append(
          Node::map({{"AttributeName", *key->find("AttributeName")}, {"KeyType", Node::text(type)}}));
      if (key->has("AttributeType")) definitions.append(*key);
    }
    set("KeySchema", std::move(schema));
    set("AttributeDefinitions", std::move(definitions));
  }

  void stream(const Node& specification) {
    Node stream = Node::map({{"StreamEnabled", Node::boolean(true)}});
    if (const Node* const type = specification.find("StreamViewType")) stream.set("StreamViewType", *type);
    set("StreamSpecification", std::move(stream));
    for (const char* const dropped : {"ResourcePolicy", "Tags"}) {
      if (specification.has(dropped))
        warn_of(table_, std::string(dropped) + " of its stream is left out", to_);
    }
  }

  void encryption(const Node& specification) {
    Node encryption = Node::map();
    if (const Node* const enabled = specification.find("SSEEnabled")) encryption.set("Enabled", *enabled);
    if (const Node* const type = specification.find("SSEType")) encryption.set("SSEType", *type);
    if (const Node* const key = specification.find("KMSMasterKeyId")) {
      encryption.set("KMSMasterKeyId", *key);
      if (!encryption.has("SSEType")) encryption.set("SSEType", Node::text("KMS"));
    }
    set("SSESpecification", std::move(encryption));
  }

  void time_to_live(const Node& specification) {
    // Of a new table, which has none, it cannot be turned off.
    if (is_enabled(specification, "Enabled"))
      follow("UpdateTimeToLive", Node::map({{"TimeToLiveSpecification", specification}}));
  }

  void point_in_time_recovery(const Node& specification) {
    if (is_enabled(specification, "PointInTimeRecoveryEnabled"))
      follow("UpdateContinuousBackups", Node::map({{"PointInTimeRecoverySpecification", specification}}));
  }

  void insights(const Node& specification, const Node& index) {
    if (!is_enabled(specification, "Enabled")) return;
    Node input = Node::map();
    if (!index.is_null()) input.set("IndexName", index);
    input.set("ContributorInsightsAction", Node::text("ENABLE"));
    if (const Node* const mode = specification.find("Mode")) input.set("ContributorInsightsMode", *mode);
    follow("UpdateContributorInsights", std::move(input));
  }

  void insights_of_indexes(Node& indexes) {
    constexpr std::string_view property = "ContributorInsightsSpecification";
    for (Node& index : indexes.elements()) {
      const Node* const name = index.find("IndexName");
      const Node* const specification = index.find(property);
      if (specification == nullptr) continue;
      if (name != nullptr) insights(*specification, *name);
      index.erase(property);
    }
  }

  void kinesis(const Node& specification) {
    constexpr std::string_view precision = "ApproximateCreationDateTimePrecision";
    Node input = Node::map();
    if (const Node* const stream = specification.find("StreamArn")) input.set("StreamArn", *stream);
    if (const Node* const given = specification.find(precision))
      input.set("EnableKinesisStreamingConfiguration", Node::map({{std::string(precision), *given}}));
    follow("EnableKinesisStreamingDestination", std::move(input));
  }

  void policy(const Node& property) {
    const Node* const document = property.find("PolicyDocument");
    if (document == nullptr) return;
    set("ResourcePolicy", document->is_scalar() ? *document : Node::text(to_json(*document)));
  }

  NamedResource table_;
  Definitions& to_;
  TableDefinition definition_;
};

}  // namespace

void add_table_resource(NamedResource table, Definitions& to) {
  TableConversion(std::move(table), to).run();
}

}  // namespace dinette::definitions::cloudformation
