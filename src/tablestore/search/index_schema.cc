#include "tablestore/search/index_schema.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "tablestore/api/limits.h"
#include "tablestore/api/messages.h"
#include "tablestore/api/refusals.h"
#include "tablestore/codec/field_reader.h"

namespace dinette::tablestore::search {
namespace {

/// Reads the fields of a schema, those inside others too.
class FieldsReader {
 public:
  Answer<Field> read(const api::FieldSchema& message, const std::string& outer) {
    if (++count_ > limits::search_fields) return refuse::too_many_search_fields(limits::search_fields);
    if (!message.field_name || message.field_name->empty() || !message.field_type)
      return refuse::search_field_without_name_or_type();
    if (message.date_formats.size() > limits::date_formats)
      return refuse::too_many_date_formats(limits::date_formats);
    Field field;
    field.name = outer + std::string(*message.field_name);
    field.type = type_of(message);
    field.is_array = message.is_array.value_or(false);
    field.indexed = message.index.value_or(true);
    field.sortable = field.type != api::FieldType::text && message.sort_and_agg.value_or(true);
    field.highlighted = message.enable_highlighting.value_or(false);
    if (message.is_virtual_field.value_or(false))
      field.sources.assign(message.source_field_names.begin(), message.source_field_names.end());
    field.date_formats.assign(message.date_formats.begin(), message.date_formats.end());
    DINETTE_TRY(field.analyzer, analyzer_of(message));
    if (message.vector_options) {
      field.dimension = message.vector_options->dimension.value_or(0);
      field.metric = message.vector_options->metric_type.value_or(api::VectorMetric::euclidean);
    }
    DINETTE_TRY(field.fields, read_inner(message, field.name + '.'));
    return field;
  }

 private:
  static api::FieldType type_of(const api::FieldSchema& message) {
    const bool is_nested =
        message.field_type == api::FieldType::json && message.json_type == api::JsonType::nested_json;
    return is_nested ? api::FieldType::nested : *message.field_type;
  }

  static Answer<Analyzer> analyzer_of(const api::FieldSchema& message) {
    const auto analyzer = Analyzer::named(message.analyzer.value_or(std::string_view()),
                                          message.analyzer_parameter.value_or(std::string_view()));
    if (!analyzer) return refuse::invalid_analyzer_parameter(*message.field_name);
    return *analyzer;
  }

  Answer<std::vector<Field>> read_inner(const api::FieldSchema& message, const std::string& outer) {
    std::vector<Field> fields;
    if (message.field_schemas.empty()) return fields;
    if (++depth_ > limits::nested_search_fields)
      return refuse::search_fields_too_deep(limits::nested_search_fields);
    for (const std::string_view bytes : message.field_schemas) {
      const auto inner = codec::decode_message<api::FieldSchema>(bytes);
      if (!inner) return refuse::unreadable_message();
      DINETTE_TRY(Field field, read(*inner, outer));
      fields.push_back(std::move(field));
    }
    --depth_;
    return fields;
  }

  std::size_t count_ = 0;
  std::size_t depth_ = 0;
};

const Field* find_in(const std::vector<Field>& fields, std::string_view name) {
  for (const Field& field : fields) {
    if (field.name == name) return &field;
    if (name.starts_with(field.name) && name.substr(field.name.size()).starts_with('.'))
      if (const Field* const inner = find_in(field.fields, name)) return inner;
  }
  return nullptr;
}

}  // namespace

std::string_view Field::own_name() const {
  const std::size_t dot = name.rfind('.');
  return dot == std::string::npos ? std::string_view(name) : std::string_view(name).substr(dot + 1);
}

Answer<IndexSchema> IndexSchema::read(std::string_view message) {
  const auto schema = codec::decode_message<api::IndexSchema>(message);
  if (!schema) return refuse::unreadable_message();
  if (schema->field_schemas.empty()) return refuse::search_index_without_fields();
  IndexSchema read;
  FieldsReader reader;
  for (const api::FieldSchema& one : schema->field_schemas) {
    DINETTE_TRY(Field field, reader.read(one, ""));
    if (read.find(field.name) != nullptr) return refuse::duplicate_search_field(field.name);
    read.fields_.push_back(std::move(field));
  }
  return read;
}

const Field* IndexSchema::find(std::string_view name) const {
  return find_in(fields_, name);
}

Answer<const Field*> IndexSchema::find_indexed(std::string_view name) const {
  const Field* const field = find(name);
  // Clients switch a field of type NESTED off, and those inside it on.
  const bool is_indexed = field != nullptr && (field->indexed || field->type == api::FieldType::nested);
  if (!is_indexed) return refuse::field_not_indexed();
  return field;
}

Answer<void> check_sortable(const Field& field, std::string_view part) {
  if (!field.sortable) return refuse::not_sortable(part, field.name);
  return {};
}

std::string_view name_of(api::FieldType type) {
  switch (type) {
    case api::FieldType::long_:
      return "long";
    case api::FieldType::double_:
      return "double";
    case api::FieldType::boolean:
      return "boolean";
    case api::FieldType::keyword:
      return "keyword";
    case api::FieldType::text:
      return "text";
    case api::FieldType::nested:
      return "nested";
    case api::FieldType::geo_point:
      return "geo_point";
    case api::FieldType::date:
      return "date";
    case api::FieldType::vector:
      return "vector";
    case api::FieldType::fuzzy_keyword:
      return "fuzzy_keyword";
    case api::FieldType::ip:
      return "ip";
    case api::FieldType::json:
      return "json";
    case api::FieldType::flattened:
      return "flattened";
  }
  return "";
}

}  // namespace dinette::tablestore::search
