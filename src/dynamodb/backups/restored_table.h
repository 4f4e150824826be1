#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dynamodb/api/enums.h"
#include "dynamodb/api/global_secondary_index.h"
#include "dynamodb/api/local_secondary_index.h"
#include "dynamodb/api/on_demand_throughput.h"
#include "dynamodb/api/provisioned_throughput.h"
#include "dynamodb/api/sse_specification.h"
#include "dynamodb/api/table_record.h"
#include "dynamodb/api/table_settings.h"
#include "dynamodb/api/vector_index.h"
#include "dynamodb/request/api_error.h"
#include "dynamodb/request/context.h"

/// What a restored table is like (docs/service/backups-pitr.md section 3).
namespace dinette::dynamodb {

/// What a request wants to be otherwise than in the source.
struct RestoreOverrides {
  std::optional<api::BillingMode> billing_mode;
  std::optional<std::vector<api::GlobalSecondaryIndex>> global_indexes;
  std::optional<std::vector<api::LocalSecondaryIndex>> local_indexes;
  std::optional<std::vector<api::VectorIndex>> vector_indexes;
  std::optional<api::ProvisionedThroughput> provisioned_throughput;
  std::optional<api::OnDemandThroughput> on_demand_throughput;  ///< nothing if it has no members
  std::optional<api::SSESpecification> encryption;
};

template <class Input>
RestoreOverrides take_overrides(Input& input) {
  return {std::move(input.billing_mode_override),           std::move(input.global_secondary_index_override),
          std::move(input.local_secondary_index_override),  std::move(input.vector_index_override),
          std::move(input.provisioned_throughput_override), std::move(input.on_demand_throughput_override),
          std::move(input.sse_specification_override)};
}

/// Checks overrides as far as that does not depend on the source.
Answer<void> check_overrides(const RestoreOverrides& overrides);

/// Returns the record of the table that a restore makes of `source`, which has these settings.
Answer<api::TableRecord> restored_table(const Context& context, const api::TableRecord& source,
                                        const api::TableSettings& settings, std::string name,
                                        const RestoreOverrides& overrides);

}  // namespace dinette::dynamodb
