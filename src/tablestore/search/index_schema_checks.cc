#include "tablestore/search/index_schema_checks.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>

#include "tablestore/api/limits.h"
#include "tablestore/api/messages.h"
#include "tablestore/api/refusals.h"
#include "tablestore/codec/field_reader.h"
#include "tablestore/search/index_schema.h"

namespace dinette::tablestore::search {
namespace {

using api::FieldType;

/// A field of a schema that IndexSchema::read has accepted.
struct CheckedField {
  const api::FieldSchema& message;
  std::string name;  ///< with those of the fields that it is inside of
  FieldType type;

  auto must_have(std::string_view part) const {
    return refuse::incomplete_search_field(name, name_of(type), part);
  }
  auto must_not_have(std::string_view part) const {
    return refuse::needless_part_of_search_field(name, name_of(type), part);
  }
};

/// What each type needs.
Answer<void> check_needs(const CheckedField& field) {
  const api::FieldSchema& message = field.message;
  if (field.type == FieldType::date && message.date_formats.empty()) return field.must_have("date_formats");
  if (field.type == FieldType::json && !message.json_type) return field.must_have("json_type");
  if (field.type != FieldType::nested) return {};
  if (message.field_schemas.empty()) return field.must_have("field_schemas");
  if (message.field_schemas.size() > limits::nested_subfields)
    return refuse::too_many_nested_subfields(field.name, limits::nested_subfields);
  if (message.index_options) return refuse::invalid_search_parameter();
  return {};
}

Answer<void> check_vector(const CheckedField& field) {
  const auto& options = field.message.vector_options;
  if (!options) return field.must_have("vector_options");
  const std::int32_t dimension = options->dimension.value_or(0);
  if (dimension < 1 || dimension > limits::vector_dimension)
    return refuse::invalid_vector_dimension(field.name, limits::vector_dimension);
  return {};
}

/// Clients may send an empty name where they have none.
Answer<void> check_analyzer(const CheckedField& field) {
  const std::string_view analyzer = field.message.analyzer.value_or(std::string_view());
  if (analyzer.empty()) return {};
  if (field.type != FieldType::text) return field.must_not_have("analyzer");
  if (!Analyzer::exists(analyzer)) return refuse::unknown_analyzer(field.name, analyzer);
  return {};
}

Answer<void> check_source(const CheckedField& field) {
  if (!field.message.is_virtual_field.value_or(false)) return {};
  const bool may_be =
      field.type != FieldType::boolean && field.type != FieldType::nested && field.type != FieldType::json;
  if (!may_be) return field.must_not_have("is_virtual_field");
  if (field.message.source_field_names.empty()) return field.must_have("source_field_names");
  if (field.message.source_field_names.size() > 1) return refuse::several_source_fields(field.name);
  return {};
}

/// Checks the fields of a schema, those inside others too.
class FieldChecks {
 public:
  // NOLINTNEXTLINE(misc-no-recursion): as deep as fields may be inside others
  Answer<void> check(const api::FieldSchema& message, const std::string& outer, bool in_json) {
    const CheckedField field{message, outer + std::string(*message.field_name), *message.field_type};
    DINETTE_CHECK(check_needs(field));
    DINETTE_CHECK(check_analyzer(field));
    DINETTE_CHECK(check_source(field));
    if (field.type == FieldType::vector) {
      if (in_json) return refuse::vector_inside_json(field.name);
      DINETTE_CHECK(check_vector(field));
      if (++vectors_ > limits::vector_fields) return refuse::too_many_vector_fields(limits::vector_fields);
    }
    return check_inner(field, in_json || field.type == FieldType::json);
  }

 private:
  // NOLINTNEXTLINE(misc-no-recursion)
  Answer<void> check_inner(const CheckedField& field, bool in_json) {
    std::set<std::string_view> names;
    for (const std::string_view bytes : field.message.field_schemas) {
      const auto inner = codec::decode_message<api::FieldSchema>(bytes);
      if (!inner) return refuse::unreadable_message();
      const std::string outer = field.name + '.';
      if (!names.insert(*inner->field_name).second)
        return refuse::duplicate_search_field(outer + std::string(*inner->field_name));
      DINETTE_CHECK(check(*inner, outer, in_json));
    }
    return {};
  }

  std::size_t vectors_ = 0;
};

// NOLINTNEXTLINE(misc-no-recursion)
bool has_nested(const std::vector<Field>& fields) {
  return std::ranges::any_of(
      fields, [](const Field& field) { return field.type == FieldType::nested || has_nested(field.fields); });
}

/// The order in which an index has its rows.
Answer<void> check_index_sort(const api::Sort& sort, const IndexSchema& schema) {
  if (!sort.sorter.empty() && has_nested(schema.fields())) return refuse::index_sort_with_nested();
  for (const api::Sorter& sorter : sort.sorter) {
    if (sorter.pk_sort) continue;
    if (!sorter.field_sort) return refuse::invalid_index_sorter();
    const std::string_view name = sorter.field_sort->field_name.value_or(std::string_view());
    const Field* const field = schema.find(name);
    if (field == nullptr) return refuse::no_such_index_sort_field(name);
    if (!field->indexed) return refuse::incomplete_search_field(name, name_of(field->type), "index");
    DINETTE_CHECK(check_sortable(*field, "index_sort"));
  }
  return {};
}

Answer<void> check_routing(const api::IndexSetting& setting, const std::vector<KeyColumnMeta>& key) {
  for (const std::string_view name : setting.routing_fields)
    if (std::ranges::find(key, name, &KeyColumnMeta::name) == key.end())
      return refuse::invalid_routing_field(name);
  return {};
}

}  // namespace

Answer<void> check_schema(std::string_view message, const std::vector<KeyColumnMeta>& key) {
  DINETTE_TRY(const IndexSchema schema, IndexSchema::read(message));
  const auto read = codec::decode_message<api::IndexSchema>(message);
  if (!read) return refuse::unreadable_message();
  FieldChecks checks;
  for (const api::FieldSchema& field : read->field_schemas) DINETTE_CHECK(checks.check(field, "", false));
  if (read->index_setting) DINETTE_CHECK(check_routing(*read->index_setting, key));
  if (read->index_sort) DINETTE_CHECK(check_index_sort(*read->index_sort, schema));
  return {};
}

}  // namespace dinette::tablestore::search
