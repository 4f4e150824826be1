#include "dynamodb/indexes/index_updates.h"

#include <algorithm>
#include <string>
#include <utility>

#include "dynamodb/api/create_global_secondary_index_action.h"
#include "dynamodb/api/enums.h"
#include "dynamodb/api/global_index_record.h"
#include "dynamodb/api/global_secondary_index.h"
#include "dynamodb/api/global_secondary_index_update.h"
#include "dynamodb/api/key_schema_element.h"
#include "dynamodb/api/limits.h"
#include "dynamodb/api/provisioned_throughput.h"
#include "dynamodb/api/table_record.h"
#include "dynamodb/api/table_settings.h"
#include "dynamodb/api/update_global_secondary_index_action.h"
#include "dynamodb/api/update_table.h"
#include "dynamodb/api/vector_index_record.h"
#include "dynamodb/indexes/schema_words.h"
#include "dynamodb/indexes/vector_index_updates.h"
#include "dynamodb/tables/change/change_limits.h"
#include "dynamodb/tables/change/update_conflicts.h"
#include "dynamodb/tables/change/update_request.h"
#include "dynamodb/tables/index_definition_checks.h"
#include "dynamodb/tables/key_names.h"
#include "dynamodb/tables/open_table.h"
#include "dynamodb/tables/table_throughput.h"
#include "dynamodb/tables/vector_index_checks.h"

namespace dinette::dynamodb {
namespace {

using api::GlobalIndexRecord;
using api::IndexStatus;
using Records = std::vector<GlobalIndexRecord>;

api::GlobalSecondaryIndex definition_of(const api::CreateGlobalSecondaryIndexAction& create) {
  return {create.index_name,
          create.key_schema,
          create.projection,
          create.provisioned_throughput,
          unless_empty(create.on_demand_throughput),
          create.warm_throughput};
}

Records::iterator find_index(Records& records, std::string_view name) {
  return std::ranges::find_if(
      records, [&](const GlobalIndexRecord& record) { return record.definition.index_name == name; });
}

/// The key attributes of a new index have to be declared in the same request, even those that the table
/// declares already, and then with the type that they have.
Answer<void> check_declared(const api::UpdateTableInput& input, const Definitions& stored,
                            const api::GlobalSecondaryIndex& index) {
  if (!input.attribute_definitions)
    return invalid("AttributeDefinitions is not specified for index: " + index.index_name);
  const Definitions& declared = *input.attribute_definitions;
  KeyNames names;
  KeyNames keys;
  for (const auto& definition : declared) names.insert(definition.attribute_name);
  add_names(keys, index.key_schema);
  DINETTE_CHECK(check_defined(keys, names));
  const bool same = std::ranges::all_of(keys, [&](const std::string& key) {
    const auto* before = find_definition(stored, key);
    return !before || before->attribute_type == find_definition(declared, key)->attribute_type;
  });
  if (same) return {};
  return redefined(in_words(index.key_schema, stored, declared),
                   in_words(index.key_schema, declared, stored));
}

/// A key attribute is no vector.
Answer<void> check_no_vectors(const api::UpdateTableInput& input, const api::GlobalSecondaryIndex& index,
                              const std::vector<api::VectorIndexRecord>& vectors) {
  for (const api::VectorIndexRecord& vector : vectors) {
    const std::string& attribute = vector.definition.vector_attribute.attribute_name;
    const auto& keys = index.key_schema;
    if (std::ranges::find(keys, attribute, &api::KeySchemaElement::attribute_name) == keys.end()) continue;
    return redefined(in_words(vector.definition), in_words(keys, *input.attribute_definitions, {}));
  }
  return {};
}

bool has_local_index(const api::TableRecord& record, std::string_view name) {
  return std::ranges::any_of(record.local_secondary_indexes,
                             [&](const auto& index) { return index.definition.index_name == name; });
}

/// One UpdateTable's work on the indexes of one table.
class IndexUpdate {
 public:
  IndexUpdate(const Context& context, const api::UpdateTableInput& input, api::TableRecord& record,
              api::TableSettings& before, api::TableSettings& after)
      : context_(context),
        input_(input),
        record_(record),
        mode_(after.billing_mode),
        before_(before.global_secondary_indexes),
        after_(after.global_secondary_indexes),
        vectors_(after.vector_indexes) {}

  Answer<void> apply(const api::GlobalSecondaryIndexUpdate& update) {
    if (update.create) return create(definition_of(*update.create));
    return update.delete_ ? remove(update.delete_->index_name) : change(*update.update);
  }

  /// Checks that every index of a table that becomes provisioned gets its own units.
  Answer<void> check_all_have_units() const {
    if (mode_ == api::BillingMode::pay_per_request) return {};
    for (const GlobalIndexRecord& index : after_) {
      if (!index.definition.provisioned_throughput)
        return invalid("ProvisionedThroughput must be specified for index: " + index.definition.index_name);
    }
    return {};
  }

  std::vector<store::IndexId> take_dropped() { return std::move(dropped_); }

 private:
  Answer<void> create(const api::GlobalSecondaryIndex& index) {
    DINETTE_CHECK(check_global_keys(index.key_schema));
    DINETTE_CHECK(check_declared(input_, record_.attribute_definitions, index));
    DINETTE_CHECK(check_no_vectors(input_, index, vectors_));
    DINETTE_CHECK(check_projection(index.projection));
    DINETTE_CHECK(check_index_throughput(TableRequest::update, context_.region, mode_, index));
    if (find_index(after_, index.index_name) != after_.end() || has_local_index(record_, index.index_name) ||
        has_vector_index(index.index_name))
      return index_exists();
    if (after_.size() == model::limits::global_indexes) {
      return subscriber_limit("Number of global secondary indexes exceeds per-table limit of " +
                              std::to_string(model::limits::global_indexes));
    }
    DINETTE_CHECK(check_projected(count_projected(index.projection) + projected_already()));
    const std::int32_t id = ++record_.last_index_id;
    before_.push_back({id, index, IndexStatus::creating, true, {}});
    after_.push_back({id, index, IndexStatus::active, true, {}});
    return {};
  }

  Answer<void> remove(std::string_view name) {
    const auto gone = find_index(after_, name);
    if (gone == after_.end()) return no_such_index("delete", name);
    dropped_.push_back(static_cast<store::IndexId>(gone->id));
    after_.erase(gone);
    find_index(before_, name)->status = IndexStatus::deleting;
    return {};
  }

  Answer<void> change(const api::UpdateGlobalSecondaryIndexAction& wanted) {
    const auto changed = find_index(after_, wanted.index_name);
    if (changed == after_.end()) {
      if (wanted.warm_throughput)
        return base::Failure{ApiError{api::ErrorCode::internal_failure, ""}};  // the service's own stumble
      return no_such_index("update", wanted.index_name);
    }
    const ThroughputOwner owner{context_.region, wanted.index_name};
    auto& definition = changed->definition;
    if (wanted.warm_throughput && is_empty(wanted.warm_throughput)) {
      return invalid(
          "WarmThroughput must have at least one of ReadUnitsPerSecond or WriteUnitsPerSecond specified for "
          "index: " +
          wanted.index_name);
    }
    if (wanted.provisioned_throughput) DINETTE_CHECK(change_units(*wanted.provisioned_throughput, *changed));
    DINETTE_CHECK(check_ceilings(TableRequest::update, mode_, owner, wanted.on_demand_throughput));
    DINETTE_CHECK(check_raised_warm_units(owner, warm_units(definition, mode_), wanted.warm_throughput));
    definition.on_demand_throughput =
        without_removed(merged_ceilings(definition.on_demand_throughput, wanted.on_demand_throughput));
    definition.warm_throughput = merged_warm_units(definition.warm_throughput, wanted.warm_throughput);
    find_index(before_, wanted.index_name)->status = IndexStatus::updating;
    return {};
  }

  Answer<void> change_units(const api::ProvisionedThroughput& wanted, GlobalIndexRecord& index) const {
    auto& definition = index.definition;
    if (mode_ == api::BillingMode::pay_per_request) {
      return invalid("The only Updates for index: " + definition.index_name +
                     " when TableThroughputMode is PAY_PER_REQUEST can be to OnDemandThroughput, "
                     "WarmThroughput");
    }
    DINETTE_CHECK(check_units({context_.region, definition.index_name}, wanted));
    if (const auto& units = definition.provisioned_throughput) {
      DINETTE_CHECK(check_units_change(definition.index_name, *units, wanted));
      DINETTE_CHECK(check_decrease(index.throughput_changes, *units, wanted, context_.now));
      note_change(index.throughput_changes, *units, wanted, context_.now);
    }
    definition.warm_throughput = warm_units(definition, mode_);
    definition.provisioned_throughput = wanted;
    return {};
  }

  base::Failure<ApiError> no_such_index(std::string_view action, std::string_view name) const {
    if (has_local_index(record_, name)) {
      return validation("Cannot " + std::string(action) +
                        " an index that is not a GlobalSecondaryIndex: " + std::string(name));
    }
    return base::Failure{ApiError{
        api::ErrorCode::resource_not_found_exception,
        "Requested resource not found: Index " + std::string(name) + " for table " + record_.table_name}};
  }

  bool has_vector_index(std::string_view name) const {
    return std::ranges::any_of(vectors_,
                               [&](const auto& vector) { return vector.definition.index_name == name; });
  }

  std::size_t projected_already() const {
    std::size_t attributes = 0;
    for (const auto& index : record_.local_secondary_indexes)
      attributes += count_projected(index.definition.projection);
    for (const auto& index : after_) attributes += count_projected(index.definition.projection);
    return attributes;
  }

  const Context& context_;
  const api::UpdateTableInput& input_;
  api::TableRecord& record_;
  const api::BillingMode mode_;
  Records& before_;
  Records& after_;
  const std::vector<api::VectorIndexRecord>& vectors_;
  std::vector<store::IndexId> dropped_;
};

/// The stored definitions and then the new ones; of two the stored one stays, and those that no key needs go
/// (docs/service/indexes.md section 5, "AttributeDefinitions reconciliation").
void reconcile_definitions(const api::UpdateTableInput& input, const api::TableSettings& after,
                           api::TableRecord& record) {
  auto& definitions = record.attribute_definitions;
  if (input.attribute_definitions) {
    for (const auto& definition : *input.attribute_definitions) {
      if (!find_definition(definitions, definition.attribute_name)) definitions.push_back(definition);
    }
  }
  KeyNames used;
  add_names(used, record.key_schema);
  for (const auto& index : record.local_secondary_indexes) add_names(used, index.definition.key_schema);
  for (const auto& index : after.global_secondary_indexes) add_names(used, index.definition.key_schema);
  for (const auto& index : after.vector_indexes) add_search_names(used, index.definition);
  std::erase_if(definitions,
                [&](const auto& definition) { return !used.contains(definition.attribute_name); });
}

/// An index of vectors is not even changed together with another index.
Answer<void> check_one_at_once(const api::UpdateTableInput& input) {
  const std::vector<IndexAction> actions = index_actions(input);
  const auto creates_or_deletes = std::ranges::count_if(
      actions, [](const auto& action) { return action.kind != IndexAction::Kind::change; });
  const bool mixed = updates_vector_indexes(input) && actions.size() > 1;
  return creates_or_deletes > 1 || mixed ? several_indexes_at_once() : Answer<void>();
}

}  // namespace

Answer<std::vector<store::IndexId>> update_indexes(const Context& context, const api::UpdateTableInput& input,
                                                   api::TableRecord& record, api::TableSettings& before,
                                                   api::TableSettings& after) {
  IndexUpdate indexes(context, input, record, before, after);
  std::vector<store::IndexId> dropped;
  if (updates_indexes(input)) {
    DINETTE_CHECK(check_one_at_once(input));
    if (updates_global_indexes(input)) {
      for (const auto& update : *input.global_secondary_index_updates) DINETTE_CHECK(indexes.apply(update));
    }
    dropped = indexes.take_dropped();
    DINETTE_CHECK(update_vector_indexes(input, record, before, after, dropped));
    reconcile_definitions(input, after, record);
  }
  if (after.billing_mode != api::BillingMode::pay_per_request && !after.vector_indexes.empty())
    return only_on_demand();
  DINETTE_CHECK(indexes.check_all_have_units());
  return dropped;
}

}  // namespace dinette::dynamodb
