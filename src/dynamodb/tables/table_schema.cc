#include "dynamodb/tables/table_schema.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <set>

#include "dinette/store/key_codec.h"
#include "dinette/store/placement.h"

#include "dynamodb/api/attribute_definition.h"
#include "dynamodb/api/codec.h"

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

/// `2026-10-10T12:00:00.123`: what the service calls a stream by.
std::string label_at(codec::Timestamp created) {
  using namespace std::chrono;
  const sys_time<milliseconds> moment{milliseconds(created.milliseconds)};
  const auto day = floor<days>(moment);
  const year_month_day date{day};
  const hh_mm_ss time{moment - day};
  char text[32];
  std::snprintf(text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02d.%03d", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                static_cast<int>(time.hours().count()), static_cast<int>(time.minutes().count()),
                static_cast<int>(time.seconds().count()), static_cast<int>(time.subseconds().count()));
  return text;
}

}  // namespace

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
  arn_ = "arn:aws:dynamodb:" + record_.region + ":" + record_.account + ":table/" + record_.table_name;
  const auto& stream = record_.stream_specification;
  if (stream && stream->stream_enabled) stream_label_ = label_at(record_.created);
}

bool TableSchema::is_key(std::string_view attribute) const {
  return attribute == hash_key_.name || (range_key_ && attribute == range_key_->name);
}

bool TableSchema::projects(const IndexSchema& index, std::string_view attribute) const {
  if (index.projects_all() || is_key(attribute) || index.is_key(attribute)) return true;
  const auto& names = index.projection.non_key_attributes;
  return names && std::ranges::find(*names, attribute) != names->end();
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
  simdjson::dom::parser parser;
  codec::JsonElement json;
  codec::Decoder decoder(model::Generation::current);
  api::TableRecord record;
  if (parser.parse(description.data(), description.size()).get(json) != simdjson::SUCCESS) return nullptr;
  if (!api::decode(decoder, json, record)) return nullptr;
  return std::make_shared<const TableSchema>(std::move(record));
}

std::string encode_record(const api::TableRecord& record) {
  std::string text;
  aws::JsonWriter json(text);
  api::encode(json, record);
  return text;
}

}  // namespace dinette::dynamodb
