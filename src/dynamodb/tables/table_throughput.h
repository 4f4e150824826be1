#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "dynamodb/api/enums.h"
#include "dynamodb/api/global_secondary_index.h"
#include "dynamodb/api/on_demand_throughput.h"
#include "dynamodb/api/provisioned_throughput.h"
#include "dynamodb/api/provisioned_throughput_description.h"
#include "dynamodb/api/table_settings.h"
#include "dynamodb/api/throughput_changes.h"
#include "dynamodb/api/warm_throughput.h"
#include "dynamodb/request/api_error.h"

/// The rules about throughput that CreateTable and UpdateTable share (docs/service/tables.md sections 2 to
/// 4).
namespace dinette::dynamodb {

/// CreateTable and UpdateTable word some refusals differently, and only an update may take a ceiling away.
enum class TableRequest : bool { create, update };

/// Checks that provisioned throughput is given if and only if the billing mode requires it.
Answer<void> check_provisioned(TableRequest request, api::BillingMode mode,
                               const std::optional<api::ProvisionedThroughput>& throughput);

/// What throughput belongs to: the table, or the index of a name.
struct ThroughputOwner {
  std::string_view region;
  std::string_view index = {};  ///< empty for the table
};

/// Checks that provisioned units do not exceed an account's limit for one table or index.
Answer<void> check_units(const ThroughputOwner& owner,
                         const std::optional<api::ProvisionedThroughput>& throughput);

/// Checks that an update of provisioned units, of the table or of that index, changes at least one number.
Answer<void> check_units_change(std::string_view index, const api::ProvisionedThroughput& current,
                                const api::ProvisionedThroughput& wanted);

bool is_decrease(const api::ProvisionedThroughput& from, const api::ProvisionedThroughput& to);

/// Decreases on the day of `moment`, which is one of UTC.
std::int64_t decreases_on_day_of(codec::Timestamp moment, const api::ThroughputChanges& changes);

/// Takes note of a change of a table's or an index's units.
void note_change(api::ThroughputChanges& changes, const api::ProvisionedThroughput& from,
                 const api::ProvisionedThroughput& to, codec::Timestamp moment);

/// Units as they are shown at a moment, decreases counted by the day, which is one of UTC.
api::ProvisionedThroughputDescription describe_throughput(const api::ProvisionedThroughput& units,
                                                          const api::ThroughputChanges& changes,
                                                          codec::Timestamp moment);

/// A ceiling of this removes the limit.
inline constexpr std::int64_t remove_ceiling = -1;

/// Checks on-demand ceilings under the resulting billing mode.
Answer<void> check_ceilings(TableRequest request, api::BillingMode mode, const ThroughputOwner& owner,
                            const std::optional<api::OnDemandThroughput>& ceilings);

/// Returns nothing for an object without members.
std::optional<api::OnDemandThroughput> unless_empty(const std::optional<api::OnDemandThroughput>& ceilings);

/// Returns the ceilings after an update, member by member; a removed one is kept as -1.
std::optional<api::OnDemandThroughput> merged_ceilings(const std::optional<api::OnDemandThroughput>& current,
                                                       const std::optional<api::OnDemandThroughput>& wanted);
/// The same without those.
std::optional<api::OnDemandThroughput> without_removed(
    const std::optional<api::OnDemandThroughput>& ceilings);

/// Returns the requested warm throughput after an update.
std::optional<api::WarmThroughput> merged_warm_units(const std::optional<api::WarmThroughput>& current,
                                                     const std::optional<api::WarmThroughput>& wanted);

/// The warm throughput of a table or index: the units asked for or once reached, but no less than the billing
/// mode gives.
api::WarmThroughput warm_units(const std::optional<api::WarmThroughput>& asked, api::BillingMode mode,
                               const api::ProvisionedThroughput& provisioned);
api::WarmThroughput warm_units(const api::TableSettings& settings);
api::WarmThroughput warm_units(const api::GlobalSecondaryIndex& index, api::BillingMode mode);

/// Checks that a new table or index does not request less warm throughput than it starts with.
Answer<void> check_new_warm_units(const ThroughputOwner& owner, api::BillingMode mode,
                                  const std::optional<api::ProvisionedThroughput>& provisioned,
                                  const std::optional<api::WarmThroughput>& asked);

/// Checks that warm throughput does not decrease.
Answer<void> check_raised_warm_units(const ThroughputOwner& owner, const api::WarmThroughput& current,
                                     const std::optional<api::WarmThroughput>& asked);

bool is_empty(const std::optional<api::WarmThroughput>& asked);

}  // namespace dinette::dynamodb
