#include "dynamodb/ops/index_updates.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "dynamodb/api/limits.h"
#include "dynamodb/ops/index_definition_checks.h"
#include "dynamodb/ops/key_names.h"
#include "dynamodb/ops/table_throughput.h"

namespace dinette::dynamodb::ops {
namespace {

using api::GlobalIndexRecord;
using api::IndexStatus;
using Records = std::vector<GlobalIndexRecord>;

base::Failure<ApiError> index_not_found() {
  return base::Failure{
      ApiError{api::ErrorCode::resource_not_found_exception, "Requested resource not found"}};
}

const std::string& index_name(const api::GlobalSecondaryIndexUpdate& update) {
  if (update.create) return update.create->index_name;
  return update.delete_ ? update.delete_->index_name : update.update->index_name;
}

bool creates_or_deletes(const api::GlobalSecondaryIndexUpdate& update) {
  return update.create || update.delete_;
}

api::GlobalSecondaryIndex definition_of(const api::CreateGlobalSecondaryIndexAction& create) {
  return {create.index_name,
          create.key_schema,
          create.projection,
          create.provisioned_throughput,
          unless_empty(create.on_demand_throughput),
          create.warm_throughput};
}

Records::iterator find(Records& records, std::string_view name) {
  return std::ranges::find_if(
      records, [&](const GlobalIndexRecord& record) { return record.definition.index_name == name; });
}

/// The key attributes of a new index have to be declared in the same request, even those that the table
/// declares already.
Answer<void> check_declared(const api::UpdateTableInput& input, const api::GlobalSecondaryIndex& index) {
  KeyNames declared;
  KeyNames keys;
  if (input.attribute_definitions) {
    for (const auto& definition : *input.attribute_definitions) declared.insert(definition.attribute_name);
  }
  add_names(keys, index.key_schema);
  return check_defined(keys, declared);
}

bool has_index(const api::TableRecord& record, const Records& globals, std::string_view name) {
  const auto named = [&](const auto& index) { return index.definition.index_name == name; };
  return std::ranges::any_of(globals, named) || std::ranges::any_of(record.local_secondary_indexes, named);
}

/// One UpdateTable's work on the indexes of one table.
class IndexUpdate {
 public:
  IndexUpdate(const api::UpdateTableInput& input, api::TableRecord& record, api::TableSettings& before,
              api::TableSettings& after, codec::Timestamp moment)
      : input_(input),
        record_(record),
        moment_(moment),
        mode_(after.billing_mode),
        before_(before.global_secondary_indexes),
        after_(after.global_secondary_indexes) {}

  Answer<void> apply(const api::GlobalSecondaryIndexUpdate& update) {
    if (update.create) return create(definition_of(*update.create));
    return update.delete_ ? remove(update.delete_->index_name) : change(*update.update);
  }

  /// Every index of a provisioned table has units of its own.
  Answer<void> check_units() const {
    for (const GlobalIndexRecord& index : after_) {
      DINETTE_CHECK(check_index_throughput(mode_, index.definition));
    }
    return {};
  }

  std::vector<store::IndexId> take_dropped() { return std::move(dropped_); }

 private:
  Answer<void> create(const api::GlobalSecondaryIndex& index) {
    DINETTE_CHECK(check_index_throughput(mode_, index));
    DINETTE_CHECK(check_global_keys(index));
    DINETTE_CHECK(check_projection(index.projection));
    DINETTE_CHECK(check_declared(input_, index));
    if (has_index(record_, after_, index.index_name))
      return invalid("Duplicate index name: " + index.index_name);
    if (after_.size() == model::limits::global_indexes) {
      return invalid("GlobalSecondaryIndex count exceeds the per-table limit of " +
                     std::to_string(model::limits::global_indexes));
    }
    DINETTE_CHECK(check_projected(count_projected(index.projection) + projected_already()));
    const std::int32_t id = ++record_.last_index_id;
    before_.push_back({id, index, IndexStatus::creating, true, {}});
    after_.push_back({id, index, IndexStatus::active, true, {}});
    return {};
  }

  Answer<void> remove(std::string_view name) {
    const auto gone = find(after_, name);
    if (gone == after_.end()) return index_not_found();
    dropped_.push_back(static_cast<store::IndexId>(gone->id));
    after_.erase(gone);
    find(before_, name)->status = IndexStatus::deleting;
    return {};
  }

  Answer<void> change(const api::UpdateGlobalSecondaryIndexAction& wanted) {
    const auto changed = find(after_, wanted.index_name);
    if (changed == after_.end()) return index_not_found();
    auto& definition = changed->definition;
    if (wanted.provisioned_throughput) {
      if (definition.provisioned_throughput) {
        note_change(changed->throughput_changes, *definition.provisioned_throughput,
                    *wanted.provisioned_throughput, moment_);
      }
      definition.provisioned_throughput = wanted.provisioned_throughput;
    }
    DINETTE_CHECK(check_ceilings(CeilingChange::update, mode_, "index " + wanted.index_name,
                                 wanted.on_demand_throughput));
    definition.on_demand_throughput =
        without_removed(merged_ceilings(definition.on_demand_throughput, wanted.on_demand_throughput));
    definition.warm_throughput = merged_warm_units(definition.warm_throughput, wanted.warm_throughput);
    find(before_, wanted.index_name)->status = IndexStatus::updating;
    return {};
  }

  std::size_t projected_already() const {
    std::size_t attributes = 0;
    for (const auto& index : record_.local_secondary_indexes)
      attributes += count_projected(index.definition.projection);
    for (const auto& index : after_) attributes += count_projected(index.definition.projection);
    return attributes;
  }

  const api::UpdateTableInput& input_;
  api::TableRecord& record_;
  const codec::Timestamp moment_;
  const api::BillingMode mode_;
  Records& before_;
  Records& after_;
  std::vector<store::IndexId> dropped_;
};

/// The stored definitions with the new ones behind them; of two the stored one stays, and those that no key
/// needs go (facts: indexes.md section 5, "AttributeDefinitions reconciliation").
void reconcile_definitions(const api::UpdateTableInput& input, const Records& globals,
                           api::TableRecord& record) {
  auto& definitions = record.attribute_definitions;
  if (input.attribute_definitions) {
    for (const auto& definition : *input.attribute_definitions) {
      const auto same = [&](const auto& stored) {
        return stored.attribute_name == definition.attribute_name;
      };
      if (std::ranges::none_of(definitions, same)) definitions.push_back(definition);
    }
  }
  KeyNames used;
  add_names(used, record.key_schema);
  for (const auto& index : record.local_secondary_indexes) add_names(used, index.definition.key_schema);
  for (const auto& index : globals) add_names(used, index.definition.key_schema);
  std::erase_if(definitions,
                [&](const auto& definition) { return !used.contains(definition.attribute_name); });
}

}  // namespace

base::Failure<ApiError> several_indexes_at_once() {
  return base::Failure{ApiError{
      api::ErrorCode::limit_exceeded_exception,
      "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table"}};
}

Answer<void> check_index_updates(const api::UpdateTableInput& input) {
  if (!input.global_secondary_index_updates) return {};
  const auto& updates = *input.global_secondary_index_updates;
  std::set<std::string> names;
  for (const auto& update : updates) {
    const int actions = (update.create ? 1 : 0) + (update.delete_ ? 1 : 0) + (update.update ? 1 : 0);
    if (actions != 1) {
      return invalid("One of Create, Update or Delete must be given for each GlobalSecondaryIndexUpdate");
    }
    if (names.insert(index_name(update)).second) continue;
    return invalid("Only one global secondary index update per index is allowed simultaneously. Index: " +
                   index_name(update));
  }
  if (std::ranges::count_if(updates, creates_or_deletes) > 1) return several_indexes_at_once();
  return {};
}

bool indexes_are_changing(const api::TableSettings& settings) {
  return std::ranges::any_of(settings.global_secondary_indexes, [](const GlobalIndexRecord& index) {
    return index.building || index.status != IndexStatus::active;
  });
}

Answer<std::vector<store::IndexId>> update_indexes(const api::UpdateTableInput& input,
                                                   api::TableRecord& record, api::TableSettings& before,
                                                   api::TableSettings& after, codec::Timestamp moment) {
  IndexUpdate indexes(input, record, before, after, moment);
  if (input.global_secondary_index_updates) {
    for (const auto& update : *input.global_secondary_index_updates) DINETTE_CHECK(indexes.apply(update));
    reconcile_definitions(input, after.global_secondary_indexes, record);
  }
  DINETTE_CHECK(indexes.check_units());
  return indexes.take_dropped();
}

}  // namespace dinette::dynamodb::ops
