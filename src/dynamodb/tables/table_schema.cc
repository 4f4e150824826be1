#include "dynamodb/tables/table_schema.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "dinette/base/bytes.h"
#include "dinette/store/key_codec.h"
#include "dinette/store/placement.h"

#include "dynamodb/api/attribute_definition.h"
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

}  // namespace

std::string arn_of_table(const api::TableRecord& record) {
  return "arn:aws:dynamodb:" + record.region + ":" + record.account + ":table/" + record.table_name;
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
  for (const auto& index : record_.local_secondary_indexes) {
    indexes_.push_back(index_schema(record_, index));
    indexes_.back().local = true;
  }
  std::ranges::sort(indexes_, {}, &IndexSchema::name);
  key_and_indexed_attributes_ = collect_key_and_indexed_attributes();
  arn_ = arn_of_table(record_);
  stream_ = stream_schema(record_);
  keeps_versions_ = record_.recovery || has_readers(record_);
}

bool TableSchema::is_key(std::string_view attribute) const {
  return attribute == hash_key_.name || (range_key_ && attribute == range_key_->name);
}

bool TableSchema::projects(const IndexSchema& index, std::string_view attribute) const {
  if (index.projects_all() || is_key(attribute) || index.is_key(attribute)) return true;
  const auto& names = index.projection.non_key_attributes;
  return names && std::ranges::find(*names, attribute) != names->end();
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
