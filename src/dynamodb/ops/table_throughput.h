#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "dynamodb/api/types.h"
#include "dynamodb/ops/api_error.h"

/// The rules about throughput that CreateTable and UpdateTable share (facts: tables.md sections 2 to 4).
namespace dinette::dynamodb::ops {

/// Whether provisioned throughput is given exactly when the billing mode wants it.
Answer<void> check_provisioned(api::BillingMode mode,
                               const std::optional<api::ProvisionedThroughput>& throughput);

/// Takes note of a change of a table's or an index's units.
void note_change(api::ThroughputChanges& changes, const api::ProvisionedThroughput& from,
                 const api::ProvisionedThroughput& to, codec::Timestamp moment);

/// Units as they are shown at a moment, decreases counted by the day, which is one of UTC.
api::ProvisionedThroughputDescription describe_throughput(const api::ProvisionedThroughput& units,
                                                          const api::ThroughputChanges& changes,
                                                          codec::Timestamp moment);

/// The two operations word their refusals of on-demand ceilings differently, and only an update may take a
/// ceiling away.
enum class CeilingChange : bool { create, update };

/// In the place of a ceiling: there is to be none any more.
inline constexpr std::int64_t remove_ceiling = -1;

/// On-demand ceilings of `resource` ("table" or "index <name>") under the billing mode that results.
Answer<void> check_ceilings(CeilingChange change, api::BillingMode mode, std::string_view resource,
                            const std::optional<api::OnDemandThroughput>& ceilings);

/// Nothing for an object without members.
std::optional<api::OnDemandThroughput> unless_empty(const std::optional<api::OnDemandThroughput>& ceilings);

/// What an update makes of ceilings: member by member, one that is taken away still standing as -1.
std::optional<api::OnDemandThroughput> merged_ceilings(const std::optional<api::OnDemandThroughput>& current,
                                                       const std::optional<api::OnDemandThroughput>& wanted);
/// The same without those.
std::optional<api::OnDemandThroughput> without_removed(
    const std::optional<api::OnDemandThroughput>& ceilings);

/// What an update makes of the warm throughput that was asked for before.
std::optional<api::WarmThroughput> merged_warm_units(const std::optional<api::WarmThroughput>& current,
                                                     const std::optional<api::WarmThroughput>& wanted);

/// The warm throughput of a table or index: the units asked for, else those that follow from the billing
/// mode.
api::WarmThroughput warm_units(const std::optional<api::WarmThroughput>& asked, api::BillingMode mode,
                               const api::ProvisionedThroughput& provisioned);

}  // namespace dinette::dynamodb::ops
