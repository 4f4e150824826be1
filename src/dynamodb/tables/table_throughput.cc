#include "dynamodb/tables/table_throughput.h"

#include <algorithm>
#include <chrono>

#include "dynamodb/api/enums.h"
#include "dynamodb/api/global_secondary_index.h"
#include "dynamodb/api/limits.h"
#include "dynamodb/api/on_demand_throughput.h"
#include "dynamodb/api/provisioned_throughput.h"
#include "dynamodb/api/provisioned_throughput_description.h"
#include "dynamodb/api/table_settings.h"
#include "dynamodb/api/throughput_changes.h"
#include "dynamodb/api/warm_throughput.h"

namespace dinette::dynamodb {
namespace {

/// Returns `table`, or `index` with `before_name` and the name.
std::string in_words(const ThroughputOwner& owner, std::string_view before_name) {
  return owner.index.empty() ? "table" : "index" + std::string(before_name) + std::string(owner.index);
}

/// Checks the maximum: on-demand ceilings and warm throughput have the limit of provisioned units.
Answer<void> check_maximum(const ThroughputOwner& owner, std::string_view what, std::string_view limit,
                           std::int64_t value) {
  if (value <= model::limits::table_units) return {};
  return subscriber_limit("Requested " + std::string(what) + " for " + in_words(owner, " : ") + " exceeds " +
                          std::string(limit) + " of the account in region " + std::string(owner.region));
}

Answer<void> check_ceiling(TableRequest request, api::BillingMode mode, const ThroughputOwner& owner,
                           std::string_view kind, std::optional<std::int64_t> value) {
  if (!value) return {};
  const std::string what = "Max" + std::string(kind) + "RequestUnits for OnDemandThroughput";
  if (mode == api::BillingMode::provisioned) {
    return invalid(what + " cannot be specified when " +
                   (request == TableRequest::create ? "table BillingMode is PROVISIONED."
                                                    : "the table BillingMode is PROVISIONED"));
  }
  const bool removal = request == TableRequest::update && *value == remove_ceiling;
  if (*value < 1 && !removal)
    return invalid("Requested " + what + " for " + in_words(owner, ": ") + " is outside of valid range");
  return check_maximum(owner, what, "TableMax" + std::string(kind) + "CapacityUnits", *value);
}

Answer<void> check_unit(const ThroughputOwner& owner, const std::string& member, std::int64_t value) {
  const std::int64_t most = model::limits::table_units;
  if (value <= most) return {};
  const bool table = owner.index.empty();
  return base::Failure{ApiError{
      api::ErrorCode::limit_exceeded_exception,
      "The requested " + member + (table ? "" : " for index " + std::string(owner.index)) + ", " +
          std::to_string(value) + ", is above the per " + (table ? "table" : "index") +
          " maximum for the account in " + std::string(owner.region) +
          ". Per table maximum: " + std::to_string(most) +
          ". Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher "
          "limits."}};
}

/// Checks that the request is not below the current units, with the message `sentence(kind)`, nor too high.
template <class Sentence>
Answer<void> check_warm_units(const ThroughputOwner& owner, const api::WarmThroughput& current,
                              const api::WarmThroughput& asked, Sentence sentence) {
  const auto check = [&](const std::string& kind, std::int64_t from, std::int64_t to) -> Answer<void> {
    const std::string what = kind + "UnitsPerSecond for WarmThroughput";
    if (to < from)
      return invalid("Requested " + what + " for " + in_words(owner, " ") + " is lower than " +
                     sentence(kind));
    return check_maximum(owner, what, "TableMax" + kind + "CapacityUnits", to);
  };
  if (asked.read_units_per_second)
    DINETTE_CHECK(check("Read", *current.read_units_per_second, *asked.read_units_per_second));
  if (asked.write_units_per_second)
    DINETTE_CHECK(check("Write", *current.write_units_per_second, *asked.write_units_per_second));
  return {};
}

std::int64_t day_of(codec::Timestamp moment) {
  constexpr std::int64_t day = std::chrono::milliseconds(std::chrono::days(1)).count();
  return moment.milliseconds / day;
}

}  // namespace

Answer<void> check_units_change(std::string_view index, const api::ProvisionedThroughput& current,
                                const api::ProvisionedThroughput& wanted) {
  if (is_decrease(current, wanted) || is_decrease(wanted, current)) return {};
  const std::string name(index);
  const std::string of = name.empty() ? "the table" : "index " + name;
  const auto figures = [&](const std::string& unit, std::int64_t value, std::int64_t requested) {
    return "Current " + unit + " provisioned for " + of + ": " + std::to_string(value) + ". Requested " +
           unit + ": " + std::to_string(requested) + ". ";
  };
  return validation(
      "The provisioned throughput for the " + (name.empty() ? "table" : "index " + name) +
      " will not change. The requested value equals the current value. " +
      figures("ReadCapacityUnits", current.read_capacity_units, wanted.read_capacity_units) +
      figures("WriteCapacityUnits", current.write_capacity_units, wanted.write_capacity_units) +
      "Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.");
}

bool is_decrease(const api::ProvisionedThroughput& from, const api::ProvisionedThroughput& to) {
  return to.read_capacity_units < from.read_capacity_units ||
         to.write_capacity_units < from.write_capacity_units;
}

std::int64_t decreases_on_day_of(codec::Timestamp moment, const api::ThroughputChanges& changes) {
  const bool same_day = changes.last_decrease && day_of(*changes.last_decrease) == day_of(moment);
  return same_day ? changes.decreases_that_day : 0;
}

Answer<void> check_units(const ThroughputOwner& owner,
                         const std::optional<api::ProvisionedThroughput>& throughput) {
  if (!throughput) return {};
  DINETTE_CHECK(check_unit(owner, "ReadCapacityUnits", throughput->read_capacity_units));
  return check_unit(owner, "WriteCapacityUnits", throughput->write_capacity_units);
}

Answer<void> check_provisioned(TableRequest request, api::BillingMode mode,
                               const std::optional<api::ProvisionedThroughput>& throughput) {
  if (mode == api::BillingMode::pay_per_request && throughput) {
    return invalid(
        "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is "
        "PAY_PER_REQUEST");
  }
  if (mode == api::BillingMode::provisioned && !throughput) {
    return invalid(request == TableRequest::create
                       ? "ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode "
                         "is PROVISIONED"
                       : "ProvisionedThroughput must be specified when BillingMode is PROVISIONED");
  }
  return {};
}

void note_change(api::ThroughputChanges& changes, const api::ProvisionedThroughput& from,
                 const api::ProvisionedThroughput& to, codec::Timestamp moment) {
  if (is_decrease(from, to)) {
    changes.decreases_that_day = decreases_on_day_of(moment, changes) + 1;
    changes.last_decrease = moment;
  }
  if (is_decrease(to, from)) changes.last_increase = moment;
}

api::ProvisionedThroughputDescription describe_throughput(const api::ProvisionedThroughput& units,
                                                          const api::ThroughputChanges& changes,
                                                          codec::Timestamp moment) {
  api::ProvisionedThroughputDescription shown;
  shown.last_increase_date_time = changes.last_increase;
  shown.last_decrease_date_time = changes.last_decrease;
  shown.number_of_decreases_today = decreases_on_day_of(moment, changes);
  shown.read_capacity_units = units.read_capacity_units;
  shown.write_capacity_units = units.write_capacity_units;
  return shown;
}

Answer<void> check_ceilings(TableRequest request, api::BillingMode mode, const ThroughputOwner& owner,
                            const std::optional<api::OnDemandThroughput>& ceilings) {
  if (!ceilings) return {};
  DINETTE_CHECK(check_ceiling(request, mode, owner, "Read", ceilings->max_read_request_units));
  return check_ceiling(request, mode, owner, "Write", ceilings->max_write_request_units);
}

std::optional<api::OnDemandThroughput> unless_empty(const std::optional<api::OnDemandThroughput>& ceilings) {
  const bool empty = !ceilings || (!ceilings->max_read_request_units && !ceilings->max_write_request_units);
  return empty ? std::nullopt : ceilings;
}

std::optional<api::OnDemandThroughput> merged_ceilings(const std::optional<api::OnDemandThroughput>& current,
                                                       const std::optional<api::OnDemandThroughput>& wanted) {
  if (!wanted) return current;
  api::OnDemandThroughput ceilings = current.value_or(api::OnDemandThroughput{});
  if (wanted->max_read_request_units) ceilings.max_read_request_units = wanted->max_read_request_units;
  if (wanted->max_write_request_units) ceilings.max_write_request_units = wanted->max_write_request_units;
  return ceilings;
}

std::optional<api::OnDemandThroughput> without_removed(
    const std::optional<api::OnDemandThroughput>& ceilings) {
  if (!ceilings) return std::nullopt;
  api::OnDemandThroughput kept = *ceilings;
  if (kept.max_read_request_units == remove_ceiling) kept.max_read_request_units.reset();
  if (kept.max_write_request_units == remove_ceiling) kept.max_write_request_units.reset();
  return unless_empty(kept);
}

std::optional<api::WarmThroughput> merged_warm_units(const std::optional<api::WarmThroughput>& current,
                                                     const std::optional<api::WarmThroughput>& wanted) {
  if (!wanted) return current;
  api::WarmThroughput warm = current.value_or(api::WarmThroughput{});
  if (wanted->read_units_per_second) warm.read_units_per_second = wanted->read_units_per_second;
  if (wanted->write_units_per_second) warm.write_units_per_second = wanted->write_units_per_second;
  return warm;
}

api::WarmThroughput warm_units(const std::optional<api::WarmThroughput>& asked, api::BillingMode mode,
                               const api::ProvisionedThroughput& provisioned) {
  const bool on_demand = mode == api::BillingMode::pay_per_request;
  api::WarmThroughput units;
  units.read_units_per_second = on_demand ? model::limits::warm_read_units : provisioned.read_capacity_units;
  units.write_units_per_second =
      on_demand ? model::limits::warm_write_units : provisioned.write_capacity_units;
  if (!asked) return units;
  // Nothing is less than every number.
  units.read_units_per_second = std::max(units.read_units_per_second, asked->read_units_per_second);
  units.write_units_per_second = std::max(units.write_units_per_second, asked->write_units_per_second);
  return units;
}

api::WarmThroughput warm_units(const api::TableSettings& settings) {
  return warm_units(settings.warm_throughput, settings.billing_mode, settings.provisioned_throughput);
}

api::WarmThroughput warm_units(const api::GlobalSecondaryIndex& index, api::BillingMode mode) {
  return warm_units(index.warm_throughput, mode,
                    index.provisioned_throughput.value_or(api::ProvisionedThroughput{}));
}

Answer<void> check_new_warm_units(const ThroughputOwner& owner, api::BillingMode mode,
                                  const std::optional<api::ProvisionedThroughput>& provisioned,
                                  const std::optional<api::WarmThroughput>& asked) {
  if (!asked) return {};
  const auto start = warm_units(std::nullopt, mode, provisioned.value_or(api::ProvisionedThroughput{}));
  return check_warm_units(owner, start, *asked, [&](const std::string& kind) -> std::string {
    if (mode == api::BillingMode::provisioned) return kind + "CapacityUnits of ProvisionedThroughput";
    return "initial throughput for OnDemand. See: "
           "https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/warm-throughput.html";
  });
}

Answer<void> check_raised_warm_units(const ThroughputOwner& owner, const api::WarmThroughput& current,
                                     const std::optional<api::WarmThroughput>& asked) {
  if (!asked) return {};
  return check_warm_units(owner, current, *asked, [](const std::string&) {
    return std::string("current WarmThroughput, decreasing WarmThroughput is not supported");
  });
}

bool is_empty(const std::optional<api::WarmThroughput>& asked) {
  return !asked || (!asked->read_units_per_second && !asked->write_units_per_second);
}

}  // namespace dinette::dynamodb
