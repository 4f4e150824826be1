#include "keyspaces_properties.h"

#include <algorithm>
#include <array>
#include <utility>

#include "definitions/members.h"

// docs/definitions/cloudformation.md section 7.
namespace dinette::definitions::cloudformation {
namespace {

constexpr Property of_text(std::string_view name, std::string_view member) {
  return {name, member, MemberKind::text};
}

constexpr Property of_integer(std::string_view name, std::string_view member) {
  return {name, member, MemberKind::integer};
}

constexpr Property of_boolean(std::string_view name, std::string_view member) {
  return {name, member, MemberKind::boolean};
}

constexpr Property of_map(std::string_view name, std::string_view member, std::span<const Property> inner) {
  return {name, member, MemberKind::map, inner};
}

constexpr Property of_list(std::string_view name, std::string_view member,
                           std::span<const Property> inner = {}) {
  return {name, member, MemberKind::list, inner};
}

constexpr std::array tag_properties{of_text("Key", "key"), of_text("Value", "value")};

constexpr std::array replication_properties{of_list("RegionList", "regionList"),
                                            of_text("ReplicationStrategy", "replicationStrategy")};

constexpr std::array keyspace_properties{
    of_boolean("ClientSideTimestampsEnabled", "clientSideTimestamps"),
    of_text("KeyspaceName", "keyspaceName"),
    of_map("ReplicationSpecification", "replicationSpecification", replication_properties),
    of_list("Tags", "tags", tag_properties)};

constexpr std::array field_properties{of_text("FieldName", "name"), of_text("FieldType", "type")};

constexpr std::array user_type_properties{of_list("Fields", "fieldDefinitions", field_properties),
                                          of_text("KeyspaceName", "keyspaceName"),
                                          of_text("TypeName", "typeName")};

constexpr std::array column_properties{of_text("ColumnName", "name"), of_text("ColumnType", "type")};

constexpr std::array clustering_properties{of_map("Column", "column", column_properties),
                                           of_text("OrderBy", "orderBy")};

constexpr std::array units_properties{of_integer("ReadCapacityUnits", "readCapacityUnits"),
                                      of_integer("WriteCapacityUnits", "writeCapacityUnits")};

constexpr std::array billing_properties{of_text("Mode", "throughputMode"),
                                        of_map("ProvisionedThroughput", "units", units_properties)};

constexpr std::array cdc_properties{of_text("Status", "status"), of_list("Tags", "tags", tag_properties),
                                    of_text("ViewType", "viewType")};

constexpr std::array encryption_properties{of_text("EncryptionType", "type"),
                                           of_text("KmsKeyIdentifier", "kmsKeyIdentifier")};

constexpr std::array tracking_properties{
    of_boolean("DisableScaleIn", "disableScaleIn"), of_integer("ScaleInCooldown", "scaleInCooldown"),
    of_integer("ScaleOutCooldown", "scaleOutCooldown"), of_integer("TargetValue", "targetValue")};

constexpr std::array policy_properties{of_map("TargetTrackingScalingPolicyConfiguration",
                                              "targetTrackingScalingPolicyConfiguration",
                                              tracking_properties)};

constexpr std::array setting_properties{
    of_boolean("AutoScalingDisabled", "autoScalingDisabled"), of_integer("MaximumUnits", "maximumUnits"),
    of_integer("MinimumUnits", "minimumUnits"), of_map("ScalingPolicy", "scalingPolicy", policy_properties)};

constexpr std::array scaling_properties{
    of_map("ReadCapacityAutoScaling", "readCapacityAutoScaling", setting_properties),
    of_map("WriteCapacityAutoScaling", "writeCapacityAutoScaling", setting_properties)};

constexpr std::array replica_properties{
    of_map("ReadCapacityAutoScaling", "readCapacityAutoScaling", setting_properties),
    of_integer("ReadCapacityUnits", "readCapacityUnits"), of_text("Region", "region")};

constexpr std::array warm_properties{of_integer("ReadUnitsPerSecond", "readUnitsPerSecond"),
                                     of_integer("WriteUnitsPerSecond", "writeUnitsPerSecond")};

constexpr std::array keyspaces_table_properties{
    of_map("AutoScalingSpecifications", "autoScalingSpecification", scaling_properties),
    of_map("BillingMode", "capacitySpecification", billing_properties),
    of_map("CdcSpecification", "cdcSpecification", cdc_properties),
    of_boolean("ClientSideTimestampsEnabled", "clientSideTimestamps"),
    of_list("ClusteringKeyColumns", "clusteringKeys", clustering_properties),
    of_integer("DefaultTimeToLive", "defaultTimeToLive"),
    of_map("EncryptionSpecification", "encryptionSpecification", encryption_properties),
    of_text("KeyspaceName", "keyspaceName"),
    of_list("PartitionKeyColumns", "partitionKeys", column_properties),
    of_boolean("PointInTimeRecoveryEnabled", "pointInTimeRecovery"),
    of_list("RegularColumns", "regularColumns", column_properties),
    of_list("ReplicaSpecifications", "replicaSpecifications", replica_properties),
    of_text("TableName", "tableName"),
    of_list("Tags", "tags", tag_properties),
    of_map("WarmThroughput", "warmThroughputSpecification", warm_properties)};

}  // namespace

std::span<const Property> properties_of_keyspace() {
  return keyspace_properties;
}

std::span<const Property> properties_of_user_type() {
  return user_type_properties;
}

std::span<const Property> properties_of_keyspaces_table() {
  return keyspaces_table_properties;
}

Node PropertyConversion::converted_map(const Node& properties, std::span<const Property> known,
                                       const std::string& path) {
  Node members = Node::map();
  members.set_place(properties.place());
  for (const Node::Member& given : properties.members()) {
    const std::string inner = path.empty() ? given.key : path + '.' + given.key;
    const auto property = std::ranges::find(known, given.key, &Property::name);
    if (property == known.end()) {
      warn_of(resource_, "the property " + inner + " is not known and left out", to_);
    } else if (Node member = converted(given.value, *property, inner); !member.is_null()) {
      members.set(property->member, std::move(member));
    }
  }
  return members;
}

Node PropertyConversion::converted(const Node& value, const Property& property, const std::string& path) {
  if (property.kind != MemberKind::map && property.kind != MemberKind::list)
    return converted_scalar(value, property.kind, path);
  if (property.kind == MemberKind::map && value.is_map()) return converted_map(value, property.inner, path);
  if (property.kind == MemberKind::list && value.is_list())
    return value.elements().empty() ? Node() : converted_list(value, property, path);
  return fail(value, property.kind, path);
}

Node PropertyConversion::converted_list(const Node& list, const Property& property, const std::string& path) {
  const Property of_element{.name = {},
                            .member = {},
                            .kind = property.inner.empty() ? MemberKind::text : MemberKind::map,
                            .inner = property.inner};
  Node elements = Node::list();
  elements.set_place(list.place());
  std::size_t index = 0;
  for (const Node& element : list.elements()) {
    const std::string inner = path + '[' + std::to_string(index++) + ']';
    elements.append(converted(element, of_element, inner));
  }
  return elements;
}

Node PropertyConversion::converted_scalar(const Node& value, MemberKind kind, const std::string& path) {
  auto result = as_kind(value, kind);
  if (!result) return fail(value, kind, path);
  result->set_place(value.place());
  return *std::move(result);
}

Node PropertyConversion::fail(const Node& value, MemberKind kind, const std::string& path) {
  failed_ = true;
  to_.errors.push_back({value.place(), label_of(resource_.kind, resource_.name) + ", " + path + ": " +
                                           not_of_kind(value, kind)});
  return {};
}

}  // namespace dinette::definitions::cloudformation
