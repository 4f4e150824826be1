#include "dynamodb/tables/table_schema.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <set>

#include "dinette/base/bytes.h"
#include "dinette/iam/policy.h"
#include "dinette/store/key_codec.h"
#include "dinette/store/placement.h"

#include "dynamodb/api/attribute_definition.h"
#include "dynamodb/api/insights_record.h"
#include "dynamodb/api/search_schema_element.h"
#include "dynamodb/api/vector_index_record.h"
#include "dynamodb/model/resource_arn.h"
#include "dynamodb/tables/kinesis_destinations.h"
#include "dynamodb/tasks/kept_json.h"

namespace dinette::dynamodb {
namespace {

model::Type type_of(const api::TableRecord& record, std::string_view attribute) {
  const auto definition =
      std::ranges::find(record.attribute_definitions, attribute, &api::AttributeDefinition::attribute_name);
  switch (definition->attribute_type) {
    case api::ScalarAttributeType::s:
      return model::Type::string;
    case api::ScalarAttributeType::n:
      return model::Type::number;
    case api::ScalarAttributeType::b:
      return model::Type::binary;
  }
  return model::Type::string;
}

template <class IndexRecord>
IndexSchema index_schema(const api::TableRecord& record, const IndexRecord& index) {
  IndexSchema schema;
  schema.id = static_cast<store::IndexId>(index.id);
  schema.name = index.definition.index_name;
  schema.projection = index.definition.projection;
  for (const auto& element : index.definition.key_schema) {
    schema.keys.push_back({element.attribute_name, type_of(record, element.attribute_name),
                           element.key_type == api::KeyType::hash});
  }
  return schema;
}

IndexSchema vector_index_schema(const api::TableRecord& record, const api::VectorIndexRecord& index) {
  const api::VectorIndex& definition = index.definition;
  IndexSchema schema;
  schema.id = static_cast<store::IndexId>(index.id);
  schema.name = definition.index_name;
  schema.building = index.building;
  schema.projection = definition.projection;
  VectorSchema& vector = schema.vector.emplace();
  vector.attribute = definition.vector_attribute.attribute_name;
  vector.dimensions = static_cast<std::size_t>(definition.dimensions);
  vector.distance = definition.distance_function;
  if (!definition.search_schema) return schema;
  for (const auto& element : *definition.search_schema) {
    const bool hash = element.search_schema_element_type == api::SearchSchemaElementType::hash;
    vector.search.push_back({element.attribute_name, type_of(record, element.attribute_name), hash});
    if (hash) schema.keys.push_back(vector.search.back());
  }
  return schema;
}

std::optional<StreamSchema> stream_schema(const api::TableRecord& record) {
  if (!record.stream || record.stream->shards.empty()) return std::nullopt;
  StreamSchema stream{record.stream->view_type.value_or(api::StreamViewType::keys_only), {}};
  for (const api::OpenShard& shard : record.stream->shards) {
    stream.shards.push_back({static_cast<store::PartitionHash>(shard.first_hash),
                             store::StreamId{static_cast<std::uint64_t>(shard.stream_id)}});
  }
  std::ranges::sort(stream.shards, {}, &StreamSchema::Shard::first_hash);
  return stream;
}

std::optional<DestinationSchema> destination_schema(const api::TableRecord& record) {
  if (!record.kinesis_destinations) return std::nullopt;
  const auto& destinations = *record.kinesis_destinations;
  const auto recording = std::ranges::find_if(destinations, is_recording);
  if (recording == destinations.end()) return std::nullopt;
  return DestinationSchema{*log_of(*recording),
                           recording->precision == api::ApproximateCreationDateTimePrecision::microsecond};
}

/// Requests ask about insights only when there have been some.
std::atomic<bool> seen_insights = false;

bool counts_keys(const api::TableRecord& record) {
  return record.contributor_insights &&
         std::ranges::any_of(*record.contributor_insights, &api::InsightsRecord::enabled);
}

/// One that cannot be read, of an earlier version, has no effect.
std::shared_ptr<const iam::Policy> policy_of(const std::optional<std::string>& document) {
  if (!document) return nullptr;
  auto policy = iam::read_policy(*document, iam::PolicyUse::resource, iam::any_length);
  return policy.ok() ? std::make_shared<const iam::Policy>(std::move(policy).value()) : nullptr;
}

std::optional<ReplicationSchema> replication_schema(const api::TableRecord& record) {
  const auto& replication = record.replication;
  if (!replication || !replication->log_id || replication->leaving) return std::nullopt;
  return ReplicationSchema{store::StreamId{static_cast<std::uint64_t>(*replication->log_id)}, record.region,
                           replication->strong};
}

}  // namespace

std::string arn_of_table(const api::TableRecord& record) {
  return model::table_arn(record.region, record.account, record.table_name);
}

bool has_copies(const api::TableRecord& record) {
  return record.copies && !record.copies->empty();
}

bool has_readers(const api::TableRecord& record) {
  return has_copies(record) || (record.exports && !record.exports->empty());
}

TableSchema::TableSchema(api::TableRecord record) : record_(std::move(record)) {
  for (const auto& element : record_.key_schema) {
    const bool hash = element.key_type == api::KeyType::hash;
    KeyAttribute attribute{element.attribute_name, type_of(record_, element.attribute_name), hash};
    if (hash)
      hash_key_ = std::move(attribute);
    else
      range_key_ = std::move(attribute);
  }
  for (const auto& index : record_.settings.global_secondary_indexes) {
    if (index.status == api::IndexStatus::deleting) continue;
    indexes_.push_back(index_schema(record_, index));
    indexes_.back().building = index.building;
  }
  for (const auto& index : record_.settings.vector_indexes) {
    if (index.status != api::IndexStatus::deleting) indexes_.push_back(vector_index_schema(record_, index));
  }
  for (const auto& index : record_.local_secondary_indexes) {
    indexes_.push_back(index_schema(record_, index));
    indexes_.back().local = true;
  }
  std::ranges::sort(indexes_, {}, &IndexSchema::name);
  key_and_indexed_attributes_ = collect_key_and_indexed_attributes();
  arn_ = arn_of_table(record_);
  stream_ = stream_schema(record_);
  destination_ = destination_schema(record_);
  has_insights_ = counts_keys(record_);
  if (has_insights_) seen_insights.store(true, std::memory_order_relaxed);
  policy_ = policy_of(record_.resource_policy);
  stream_policy_ = policy_of(record_.stream_policy);
  replication_ = replication_schema(record_);
  keeps_versions_ = record_.recovery || has_readers(record_);
}

bool TableSchema::any_has_insights() {
  return seen_insights.load(std::memory_order_relaxed);
}

bool TableSchema::is_key(std::string_view attribute) const {
  return attribute == hash_key_.name || (range_key_ && attribute == range_key_->name);
}

bool TableSchema::projects(const IndexSchema& index, std::string_view attribute) const {
  if (index.projects_all() || is_key(attribute) || index.is_key(attribute)) return true;
  if (index.vector && (attribute == index.vector->attribute || index.vector->find_search(attribute)))
    return true;
  const auto& names = index.projection.non_key_attributes;
  return names && std::ranges::find(*names, attribute) != names->end();
}

const KeyAttribute* VectorSchema::find_search(std::string_view name) const {
  const auto found = std::ranges::find(search, name, &KeyAttribute::name);
  return found == search.end() ? nullptr : &*found;
}

store::StreamId StreamSchema::shard_of(std::string_view row_key) const {
  const auto hash = base::load_big_endian<store::PartitionHash>(row_key.data());
  return std::prev(std::ranges::upper_bound(shards, hash, {}, &Shard::first_hash))->stream;
}

bool IndexSchema::is_key(std::string_view attribute) const {
  return std::ranges::find(keys, attribute, &KeyAttribute::name) != keys.end();
}

const IndexSchema* TableSchema::find_index(std::string_view name) const {
  const auto found = std::ranges::lower_bound(indexes_, name, {}, &IndexSchema::name);
  return found == indexes_.end() || found->name != name ? nullptr : &*found;
}

std::string_view TableSchema::counted_partition(std::string_view row_key) const {
  if (!has_local_indexes()) return {};
  store::TupleReader reader(row_key.substr(store::partition_hash_size));
  const bool read = hash_key_.type == model::Type::number ? reader.read_decimal().has_value()
                                                          : reader.read_bytes().has_value();
  return read ? row_key.substr(0, row_key.size() - reader.rest().size()) : std::string_view{};
}

std::vector<std::string> TableSchema::collect_key_and_indexed_attributes() const {
  std::set<std::string> names = {hash_key_.name};
  if (range_key_) names.insert(range_key_->name);
  for (const IndexSchema& index : indexes_) {
    for (const KeyAttribute& key : index.keys) names.insert(key.name);
    if (index.vector) {
      names.insert(index.vector->attribute);
      for (const KeyAttribute& attribute : index.vector->search) names.insert(attribute.name);
    }
    const auto& projected = index.projection.non_key_attributes;
    if (projected) names.insert(projected->begin(), projected->end());
  }
  return {names.begin(), names.end()};
}

std::shared_ptr<const store::Schema> TableSchema::decode(std::string_view description) {
  auto record = decode_kept<api::TableRecord>(description);
  return record ? std::make_shared<const TableSchema>(*std::move(record)) : nullptr;
}

std::string encode_record(const api::TableRecord& record) {
  return encode_kept(record);
}

}  // namespace dinette::dynamodb
