#include "dynamodb/indexes/vector_index_updates.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "dynamodb/api/enums.h"
#include "dynamodb/api/global_index_record.h"
#include "dynamodb/api/limits.h"
#include "dynamodb/api/local_index_record.h"
#include "dynamodb/api/vector_index_record.h"
#include "dynamodb/api/vector_index_update.h"
#include "dynamodb/indexes/schema_words.h"
#include "dynamodb/tables/change/update_request.h"
#include "dynamodb/tables/key_names.h"
#include "dynamodb/tables/vector_index_checks.h"

// docs/service/vector-search.md, "UpdateTable rejections".
namespace dinette::dynamodb {
namespace {

using api::IndexStatus;
using api::VectorIndexRecord;
using KeySchema = std::vector<api::KeySchemaElement>;

api::VectorIndex definition_of(const api::CreateVectorIndexAction& create) {
  return {create.index_name, create.vector_attribute, create.search_schema,
          create.projection, create.dimensions,       create.distance_function};
}

template <class Records>
auto find_named(Records& records, std::string_view name) {
  return std::ranges::find_if(records,
                              [&](const auto& record) { return record.definition.index_name == name; });
}

template <class Records>
bool has_named(const Records& records, std::string_view name) {
  return find_named(records, name) != records.end();
}

/// One UpdateTable's work on the indexes of vectors of one table.
class VectorIndexUpdates {
 public:
  VectorIndexUpdates(const api::UpdateTableInput& input, api::TableRecord& record, api::TableSettings& before,
                     api::TableSettings& after)
      : input_(input), record_(record), before_(before.vector_indexes), after_(after) {}

  Answer<void> create(const api::VectorIndex& index) {
    DINETTE_CHECK(check_vector_attributes(index, declared_names()));
    DINETTE_CHECK(check_vector_definition(index));
    if (after_.billing_mode != api::BillingMode::pay_per_request) return only_on_demand();
    if (has_named(after_.vector_indexes, index.index_name) ||
        has_named(after_.global_secondary_indexes, index.index_name) ||
        has_named(record_.local_secondary_indexes, index.index_name))
      return index_exists();
    if (after_.vector_indexes.size() == model::limits::vector_indexes) {
      return subscriber_limit("Number of vector secondary indexes exceeds per-table limit of " +
                              std::to_string(model::limits::vector_indexes));
    }
    DINETTE_CHECK(check_no_key(index));
    DINETTE_CHECK(check_dimensions(index));
    DINETTE_CHECK(check_search_types(index));
    const std::int32_t id = ++record_.last_index_id;
    before_.push_back({id, index, IndexStatus::creating, true});
    after_.vector_indexes.push_back({id, index, IndexStatus::active, true});
    return {};
  }

  Answer<store::IndexId> remove(const std::string& name) {
    const auto gone = find_named(after_.vector_indexes, name);
    if (gone == after_.vector_indexes.end()) {
      return base::Failure{
          ApiError{api::ErrorCode::resource_not_found_exception,
                   "Requested resource not found: Index " + name + " for table " + record_.table_name}};
    }
    const auto id = static_cast<store::IndexId>(gone->id);
    after_.vector_indexes.erase(gone);
    find_named(before_, name)->status = IndexStatus::deleting;
    return id;
  }

 private:
  /// Those of the request alone, whatever the table defines already.
  KeyNames declared_names() const {
    KeyNames names;
    if (!input_.attribute_definitions) return names;
    for (const auto& definition : *input_.attribute_definitions) names.insert(definition.attribute_name);
    return names;
  }

  /// Returns the key schema of the table or of an index that has the attribute; null for none.
  const KeySchema* key_schema_with(std::string_view attribute) const {
    const auto has = [&](const KeySchema& schema) {
      return std::ranges::find(schema, attribute, &api::KeySchemaElement::attribute_name) != schema.end();
    };
    if (has(record_.key_schema)) return &record_.key_schema;
    for (const auto& index : record_.local_secondary_indexes) {
      if (has(index.definition.key_schema)) return &index.definition.key_schema;
    }
    for (const auto& index : after_.global_secondary_indexes) {
      if (has(index.definition.key_schema)) return &index.definition.key_schema;
    }
    return nullptr;
  }

  Answer<void> check_no_key(const api::VectorIndex& index) const {
    const KeySchema* const keys = key_schema_with(index.vector_attribute.attribute_name);
    if (!keys) return {};
    return redefined(in_words(*keys, record_.attribute_definitions, {}), in_words(index));
  }

  Answer<void> check_dimensions(const api::VectorIndex& index) const {
    for (const VectorIndexRecord& other : after_.vector_indexes) {
      const bool same =
          other.definition.vector_attribute.attribute_name == index.vector_attribute.attribute_name;
      if (same && other.definition.dimensions != index.dimensions)
        return redefined(in_words(other.definition), in_words(index));
    }
    return {};
  }

  /// An attribute of the search schema has the type that the table has defined already.
  Answer<void> check_search_types(const api::VectorIndex& index) const {
    if (!index.search_schema) return {};
    for (const auto& element : *index.search_schema) {
      const auto* before = find_definition(record_.attribute_definitions, element.attribute_name);
      const auto* wanted = find_definition(*input_.attribute_definitions, element.attribute_name);
      if (!before || before->attribute_type == wanted->attribute_type) continue;
      const KeySchema as_key{{element.attribute_name, api::KeyType::hash}};
      return redefined(in_words(as_key, {*before}, {}), in_words(as_key, {*wanted}, {}));
    }
    return {};
  }

  const api::UpdateTableInput& input_;
  api::TableRecord& record_;
  std::vector<VectorIndexRecord>& before_;
  api::TableSettings& after_;
};

}  // namespace

Answer<void> update_vector_indexes(const api::UpdateTableInput& input, api::TableRecord& record,
                                   api::TableSettings& before, api::TableSettings& after,
                                   std::vector<store::IndexId>& dropped) {
  if (!updates_vector_indexes(input)) return {};
  VectorIndexUpdates indexes(input, record, before, after);
  for (const api::VectorIndexUpdate& update : *input.vector_index_updates) {
    if (update.create) {
      DINETTE_CHECK(indexes.create(definition_of(*update.create)));
      continue;
    }
    DINETTE_TRY(const store::IndexId gone, indexes.remove(update.delete_->index_name));
    dropped.push_back(gone);
  }
  return {};
}

base::Failure<ApiError> index_exists() {
  return validation("Attempting to create an index which already exists");
}

}  // namespace dinette::dynamodb
