#include "dynamodb/backups/restored_table.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "dynamodb/api/attribute_definition.h"
#include "dynamodb/api/global_index_record.h"
#include "dynamodb/api/local_index_record.h"
#include "dynamodb/api/table_transition.h"
#include "dynamodb/api/vector_index_record.h"
#include "dynamodb/tables/key_names.h"
#include "dynamodb/tables/open_table.h"
#include "dynamodb/tables/table_encryption.h"
#include "dynamodb/tables/table_throughput.h"
#include "dynamodb/tables/vector_index_checks.h"

namespace dinette::dynamodb {
namespace {

using api::BillingMode;

base::Failure<ApiError> refused(const std::string& sentence) {
  return validation("Invalid Request: " + sentence);
}

bool same_keys(const std::vector<api::KeySchemaElement>& a, const std::vector<api::KeySchemaElement>& b) {
  return std::ranges::equal(a, b, [](const auto& one, const auto& other) {
    return one.attribute_name == other.attribute_name && one.key_type == other.key_type;
  });
}

bool same_projection(const api::Projection& a, const api::Projection& b) {
  const auto names = [](const api::Projection& projection) {
    const auto& attributes = projection.non_key_attributes;
    return attributes ? std::set<std::string>(attributes->begin(), attributes->end())
                      : std::set<std::string>();
  };
  return a.projection_type == b.projection_type && names(a) == names(b);
}

template <class Index>
bool same_index(const Index& a, const Index& b) {
  return same_keys(a.key_schema, b.key_schema) && same_projection(a.projection, b.projection);
}

bool same_search_schema(const api::VectorIndex& a, const api::VectorIndex& b) {
  const std::vector<api::SearchSchemaElement> none;
  return std::ranges::equal(a.search_schema.value_or(none), b.search_schema.value_or(none),
                            [](const auto& one, const auto& other) {
                              return one.attribute_name == other.attribute_name &&
                                     one.search_schema_element_type == other.search_schema_element_type;
                            });
}

bool same_index(const api::VectorIndex& a, const api::VectorIndex& b) {
  return a.vector_attribute.attribute_name == b.vector_attribute.attribute_name &&
         a.dimensions == b.dimensions && a.distance_function == b.distance_function &&
         same_search_schema(a, b) && same_projection(a.projection, b.projection);
}

/// Checks that an override recreates a recorded index, of any name.
template <class Index, class Recorded>
Answer<void> check_recorded(const Index& index, const std::vector<Recorded>& recorded) {
  const bool found =
      std::ranges::any_of(recorded, [&](const Recorded& one) { return same_index(one.definition, index); });
  if (found) return {};
  return refused("Index " + index.index_name +
                 " does not match a secondary index that existed in the source table and cannot be created "
                 "during the restore operation");
}

Answer<void> check_ceiling(BillingMode mode, std::string_view kind, std::optional<std::int64_t> value) {
  if (!value) return {};
  const std::string what = "Max" + std::string(kind) + "RequestUnits for OnDemandThroughput";
  if (mode == BillingMode::provisioned)
    return refused("Cannot override " + what + " unless BillingModeOverride is PAY_PER_REQUEST");
  if (*value < 1) return refused("Requested " + what + " is outside of valid range");
  return {};
}

/// One restored table.
class Restored {
 public:
  Restored(const Context& context, const api::TableRecord& source, const api::TableSettings& settings,
           const RestoreOverrides& overrides)
      : context_(context),
        source_(source),
        settings_(settings),
        overrides_(overrides),
        mode_(overrides.billing_mode.value_or(settings.billing_mode)) {}

  Answer<api::TableRecord> record(std::string name) {
    record_.table_name = std::move(name);
    record_.table_id = context_.store.ids().uuid();
    record_.account = context_.account;
    record_.region = context_.region;
    record_.created = context_.now;
    record_.key_schema = source_.key_schema;
    DINETTE_CHECK(set_billing());
    DINETTE_CHECK(set_local_indexes());
    DINETTE_CHECK(set_global_indexes());
    DINETTE_CHECK(set_vector_indexes());
    record_.settings.kms_master_key_arn =
        overrides_.encryption ? key_arn(context_, overrides_.encryption) : settings_.kms_master_key_arn;
    define_attributes();
    const codec::Timestamp until = record_.created + context_.settings.state_delay;
    record_.transition =
        api::TableTransition{api::TableStatus::creating, until, record_.settings, false, record_.created};
    return std::move(record_);
  }

 private:
  Answer<void> check_ceilings(const std::optional<api::OnDemandThroughput>& ceilings) const {
    if (!ceilings) return {};
    DINETTE_CHECK(check_ceiling(mode_, "Read", ceilings->max_read_request_units));
    return check_ceiling(mode_, "Write", ceilings->max_write_request_units);
  }

  Answer<void> set_billing() {
    const auto& units = overrides_.provisioned_throughput;
    if (mode_ == BillingMode::pay_per_request && units)
      return refused("Cannot override ProvisionedThroughput unless BillingMode is PROVISIONED");
    DINETTE_CHECK(check_ceilings(overrides_.on_demand_throughput));
    DINETTE_CHECK(check_units({context_.region}, units));
    api::TableSettings& settings = record_.settings;
    settings.billing_mode = mode_;
    if (mode_ == BillingMode::provisioned) {
      settings.provisioned_throughput = units.value_or(settings_.provisioned_throughput);
      return {};
    }
    settings.last_update_to_pay_per_request = record_.created;
    settings.on_demand_throughput = unless_empty(overrides_.on_demand_throughput);
    if (!settings.on_demand_throughput && settings_.billing_mode == mode_)
      settings.on_demand_throughput = settings_.on_demand_throughput;
    return {};
  }

  Answer<void> set_local_indexes() {
    const auto& recorded = source_.local_secondary_indexes;
    if (!overrides_.local_indexes) {
      for (const auto& index : recorded)
        record_.local_secondary_indexes.push_back({++record_.last_index_id, index.definition});
      return {};
    }
    for (const auto& index : *overrides_.local_indexes) {
      DINETTE_CHECK(check_recorded(index, recorded));
      record_.local_secondary_indexes.push_back({++record_.last_index_id, index});
    }
    return {};
  }

  Answer<void> set_global_indexes() {
    const auto& recorded = settings_.global_secondary_indexes;
    if (!overrides_.global_indexes) {
      for (const auto& index : recorded) {
        if (index.status != api::IndexStatus::deleting) DINETTE_CHECK(keep(index.definition));
      }
      return {};
    }
    for (const auto& index : *overrides_.global_indexes) {
      DINETTE_CHECK(check_recorded(index, recorded));
      if (mode_ == BillingMode::provisioned && !index.provisioned_throughput)
        return refused("Must specify provisioned throughput for index " + index.index_name);
      if (mode_ == BillingMode::pay_per_request && index.provisioned_throughput)
        return refused("Cannot override ProvisionedThroughput unless BillingMode is PROVISIONED");
      DINETTE_CHECK(check_ceilings(index.on_demand_throughput));
      DINETTE_CHECK(check_units({context_.region, index.index_name}, index.provisioned_throughput));
      add(index);
    }
    return {};
  }

  Answer<void> set_vector_indexes() {
    const auto& recorded = settings_.vector_indexes;
    if (!overrides_.vector_indexes) {
      for (const auto& index : recorded) {
        if (index.status != api::IndexStatus::deleting) add(index.definition);
      }
    } else {
      for (const auto& index : *overrides_.vector_indexes) {
        DINETTE_CHECK(check_recorded(index, recorded));
        add(index);
      }
    }
    if (mode_ == BillingMode::pay_per_request || record_.settings.vector_indexes.empty()) return {};
    return refused("Vector indexes are only supported for PAY_PER_REQUEST tables");
  }

  void add(api::VectorIndex index) {
    record_.settings.vector_indexes.push_back(
        {++record_.last_index_id, std::move(index), api::IndexStatus::active, false});
  }

  Answer<void> keep(api::GlobalSecondaryIndex index) {
    index.warm_throughput.reset();
    if (mode_ == BillingMode::pay_per_request) {
      index.provisioned_throughput.reset();
    } else {
      index.on_demand_throughput.reset();
      if (!index.provisioned_throughput) {
        return refused(
            "Must override ProvisionedThroughput if BillingMode is overridden to PROVISIONED for index " +
            index.index_name);
      }
    }
    add(std::move(index));
    return {};
  }

  void add(api::GlobalSecondaryIndex index) {
    index.on_demand_throughput = unless_empty(index.on_demand_throughput);
    record_.settings.global_secondary_indexes.push_back(
        {++record_.last_index_id, std::move(index), api::IndexStatus::active, false, {}});
  }

  /// Defines the attributes, without those that only dropped indexes used.
  void define_attributes() {
    KeyNames used;
    add_names(used, record_.key_schema);
    for (const auto& index : record_.local_secondary_indexes) add_names(used, index.definition.key_schema);
    for (const auto& index : record_.settings.global_secondary_indexes)
      add_names(used, index.definition.key_schema);
    for (const auto& index : record_.settings.vector_indexes) add_search_names(used, index.definition);
    std::ranges::copy_if(
        source_.attribute_definitions, std::back_inserter(record_.attribute_definitions),
        [&](const api::AttributeDefinition& definition) { return used.contains(definition.attribute_name); });
  }

  const Context& context_;
  const api::TableRecord& source_;
  const api::TableSettings& settings_;
  const RestoreOverrides& overrides_;
  const BillingMode mode_;
  api::TableRecord record_;
};

}  // namespace

Answer<void> check_overrides(const RestoreOverrides& overrides) {
  if (overrides.billing_mode == BillingMode::provisioned && !overrides.provisioned_throughput)
    return refused("Must override ProvisionedThroughput if BillingMode is overridden to PROVISIONED");
  if (overrides.billing_mode == BillingMode::pay_per_request && overrides.provisioned_throughput)
    return refused("Cannot override ProvisionedThroughput if BillingMode is overridden to PAY_PER_REQUEST");
  return check_encryption(overrides.encryption);
}

Answer<api::TableRecord> restored_table(const Context& context, const api::TableRecord& source,
                                        const api::TableSettings& settings, std::string name,
                                        const RestoreOverrides& overrides) {
  return Restored(context, source, settings, overrides).record(std::move(name));
}

}  // namespace dinette::dynamodb
