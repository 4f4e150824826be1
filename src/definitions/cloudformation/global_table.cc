#include "global_table.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>

namespace dinette::definitions::cloudformation {
namespace {

constexpr auto properties_of_replica = std::to_array<std::string_view>(
    {"ContributorInsightsSpecification", "DeletionProtectionEnabled", "KinesisStreamSpecification",
     "PointInTimeRecoverySpecification", "ResourcePolicy", "TableClass", "Tags"});

constexpr auto dropped_properties =
    std::to_array<std::string_view>({"GlobalTableSettingsReplicationMode", "GlobalTableSourceArn",
                                     "GlobalTableWitnesses", "MultiRegionConsistency"});

Node taken(Node& map, std::string_view key) {
  Node* const member = map.find(key);
  if (member == nullptr) return {};
  Node value = std::move(*member);
  map.erase(key);
  return value;
}

std::string region_of(const Node& replica) {
  const Node* const region = replica.find("Region");
  return region == nullptr ? std::string() : region->scalar();
}

std::string name_of_index(const Node& index) {
  const Node* const name = index.find("IndexName");
  return name == nullptr ? std::string() : name->scalar();
}

class GlobalTableConversion {
 public:
  GlobalTableConversion(NamedResource& table, Definitions& to) : table_(table), to_(to) {}

  bool run(std::string_view region) {
    Node replicas = taken(properties(), "Replicas");
    if (replicas.elements().empty()) {
      to_.errors.push_back({table_.place, "table \"" + table_.name + "\" has no Replicas"});
      return false;
    }
    choose_replica(replicas, region);
    for (const std::string_view property : dropped_properties) {
      if (!taken(properties(), property).is_null())
        warn_of(table_, std::string(property) + " is left out", to_);
    }
    throughput(properties(), replica_);
    indexes();
    encryption();
    for (const std::string_view property : properties_of_replica) {
      if (Node value = taken(replica_, property); !value.is_null())
        properties().set(property, std::move(value));
    }
    if (replica_.has("ReplicaStreamSpecification"))
      warn_of(table_, "ReplicaStreamSpecification is left out", to_);
    if (scales_) warn_of(table_, "its capacity does not scale automatically", to_);
    return true;
  }

 private:
  Node& properties() { return table_.properties; }

  void choose_replica(Node& replicas, std::string_view region) {
    auto& all = replicas.elements();
    const auto own =
        std::ranges::find_if(all, [region](const Node& replica) { return region_of(replica) == region; });
    const auto chosen = own == all.end() ? all.begin() : own;
    if (own == all.end())
      warn_of(
          table_,
          "it has no replica in " + std::string(region) + ", the one in " + region_of(*chosen) + " is taken",
          to_);
    for (const Node& replica : all) {
      if (&replica != &*chosen) warn_of(table_, "the replica in " + region_of(replica) + " is left out", to_);
    }
    replica_ = std::move(*chosen);
  }

  /// Moves settings of throughput, of a table or an index, to where AWS::DynamoDB::Table has them.
  void throughput(Node& of, Node& in_replica) {
    const Node write = taken(of, "WriteProvisionedThroughputSettings");
    const Node read = replicas_or_own(of, in_replica, "ReadProvisionedThroughputSettings");
    Node provisioned;
    set_units(provisioned, "ReadCapacityUnits",
              units(read, "ReadCapacityUnits", "ReadCapacityAutoScalingSettings"));
    set_units(provisioned, "WriteCapacityUnits", units(write, {}, "WriteCapacityAutoScalingSettings"));
    if (provisioned.is_map()) of.set("ProvisionedThroughput", std::move(provisioned));

    const Node most_writes = taken(of, "WriteOnDemandThroughputSettings");
    const Node most_reads = replicas_or_own(of, in_replica, "ReadOnDemandThroughputSettings");
    Node on_demand;
    set_units(on_demand, "MaxReadRequestUnits", most_reads.find("MaxReadRequestUnits"));
    set_units(on_demand, "MaxWriteRequestUnits", most_writes.find("MaxWriteRequestUnits"));
    if (on_demand.is_map()) of.set("OnDemandThroughput", std::move(on_demand));
  }

  static Node replicas_or_own(Node& own, Node& replica, std::string_view property) {
    Node of_table = taken(own, property);
    Node of_replica = taken(replica, property);
    return of_replica.is_null() ? of_table : of_replica;
  }

  static void set_units(Node& to, std::string_view member, const Node* value) {
    if (value != nullptr) to.set(member, *value);
  }

  /// Returns the capacity that settings begin with.
  const Node* units(const Node& settings, std::string_view fixed, std::string_view scaled) {
    if (const Node* const given = settings.find(fixed)) return given;
    const Node* const scaling = settings.find(scaled);
    if (scaling == nullptr) return nullptr;
    scales_ = true;
    const Node* const seed = scaling->find("SeedCapacity");
    return seed != nullptr ? seed : scaling->find("MinCapacity");
  }

  void indexes() {
    Node* const indexes = properties().find("GlobalSecondaryIndexes");
    if (indexes == nullptr) return;
    Node in_replica = taken(replica_, "GlobalSecondaryIndexes");
    std::map<std::string, Node*> by_name;
    for (Node& index : in_replica.elements()) by_name.emplace(name_of_index(index), &index);
    for (Node& index : indexes->elements()) {
      const auto same = by_name.find(name_of_index(index));
      Node none;
      Node& settings = same == by_name.end() ? none : *same->second;
      throughput(index, settings);
      if (Node insights = taken(settings, "ContributorInsightsSpecification"); !insights.is_null())
        index.set("ContributorInsightsSpecification", std::move(insights));
    }
  }

  void encryption() {
    const Node of_replica = taken(replica_, "SSESpecification");
    const Node* const key = of_replica.find("KMSMasterKeyId");
    if (key == nullptr) return;
    Node specification = taken(properties(), "SSESpecification");
    specification.set("KMSMasterKeyId", *key);
    properties().set("SSESpecification", std::move(specification));
  }

  NamedResource& table_;
  Definitions& to_;
  Node replica_;
  bool scales_ = false;
};

}  // namespace

bool convert_global_table(NamedResource& table, std::string_view region, Definitions& to) {
  return GlobalTableConversion(table, to).run(region);
}

}  // namespace dinette::definitions::cloudformation
