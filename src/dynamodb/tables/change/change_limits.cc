#include "dynamodb/tables/change/change_limits.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <span>
#include <string>
#include <vector>

#include "dinette/base/time_text.h"

#include "dynamodb/api/enums.h"
#include "dynamodb/api/limits.h"
#include "dynamodb/tables/table_throughput.h"

namespace dinette::dynamodb {
namespace {

using Moments = std::vector<codec::Timestamp>;

constexpr std::chrono::milliseconds between_decreases = std::chrono::hours(1);
constexpr std::chrono::milliseconds switches_period = std::chrono::days(1);
constexpr std::chrono::milliseconds table_class_period = std::chrono::days(30);
constexpr std::chrono::milliseconds encryption_period = std::chrono::days(1);
constexpr std::chrono::milliseconds between_encryption_changes = std::chrono::hours(6);
/// All that a period can have.
constexpr std::size_t kept_encryption_changes =
    model::limits::encryption_changes + encryption_period / between_encryption_changes;

/// The latest `most` moments, oldest first, if all of them lie within the period before `now`; else nothing.
std::span<const codec::Timestamp> exhausted(const Moments& moments, std::size_t most,
                                            std::chrono::milliseconds period, codec::Timestamp now) {
  if (moments.size() < most) return {};
  const auto latest = std::span(moments).last(most);
  const bool over = now >= latest.front() + period;
  return over ? std::span<const codec::Timestamp>() : latest;
}

/// Returns the moments within the period before `now`, oldest first.
std::span<const codec::Timestamp> within(const Moments& moments, std::chrono::milliseconds period,
                                         codec::Timestamp now) {
  const auto first =
      std::ranges::find_if(moments, [&](codec::Timestamp moment) { return now < moment + period; });
  return {first, moments.end()};
}

/// Notes a moment, and keeps only the latest ones.
void note(Moments& moments, std::size_t most, codec::Timestamp moment) {
  moments.push_back(moment);
  if (moments.size() > most) moments.erase(moments.begin());
}

std::string in_words(codec::Timestamp moment, const char* format) {
  const std::time_t seconds = moment.milliseconds / 1000;
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char text[96];
  return {text, std::strftime(text, sizeof text, format, &parts)};
}

/// Returns `Friday, September 18, 2026 at 8:15:44 AM Coordinated Universal Time`.
std::string in_long_words(codec::Timestamp moment) {
  return in_words(moment, "%A, %B %-d, %Y at %-I:%M:%S %p Coordinated Universal Time");
}

/// Returns `Fri Sep 18 09:01:50 UTC 2026`.
std::string in_short_words(codec::Timestamp moment) {
  return in_words(moment, "%a %b %d %H:%M:%S UTC %Y");
}

}  // namespace

Answer<void> check_decrease(const api::ThroughputChanges& changes, const api::ProvisionedThroughput& from,
                            const api::ProvisionedThroughput& to, codec::Timestamp moment) {
  const std::int64_t today = decreases_on_day_of(moment, changes);
  if (!is_decrease(from, to) || today < model::limits::decreases_a_day) return {};
  const codec::Timestamp next = *changes.last_decrease + between_decreases;
  if (moment >= next) return {};
  return subscriber_limit(
      "Provisioned throughput decreases are limited within a given UTC day. After the first " +
      std::to_string(model::limits::decreases_a_day) +
      " decreases, each subsequent decrease in the same UTC day can be performed at most once every 3600 "
      "seconds. Number of decreases today: " +
      std::to_string(today) + ". Last decrease at " + in_long_words(*changes.last_decrease) +
      ". Next decrease can be made at " + in_long_words(next));
}

Answer<void> check_switch_to_on_demand(const api::TableRecord& record, codec::Timestamp moment) {
  const auto switches =
      exhausted(record.switches_to_on_demand, model::limits::switches_to_on_demand, switches_period, moment);
  if (switches.empty()) return {};
  return subscriber_limit(
      "Update to PayPerRequest mode are limited to " + std::to_string(model::limits::switches_to_on_demand) +
      " in 1 day(s). Last update at " + in_short_words(switches.back()) + ". Next update can be made at " +
      in_short_words(switches.front() + switches_period));
}

Answer<void> check_table_class_change(const api::TableRecord& record, codec::Timestamp moment) {
  const auto changes =
      exhausted(record.table_class_changes, model::limits::table_class_changes, table_class_period, moment);
  if (changes.empty()) return {};
  return subscriber_limit("Updates to TableClass are limited to " +
                          std::to_string(model::limits::table_class_changes) + " times in 30 day(s).");
}

Answer<void> check_encryption_changes(const api::TableRecord& record, codec::Timestamp moment) {
  const auto changes = within(record.encryption_changes, encryption_period, moment);
  if (changes.size() < model::limits::encryption_changes) return {};
  if (moment >= changes.back() + between_encryption_changes) return {};
  const codec::Timestamp window_end = changes.front() + encryption_period;
  return subscriber_limit("Encryption mode changes are limited in the 24h window ending at " +
                          base::format_time(window_end.time()) + ". After the first " +
                          std::to_string(model::limits::encryption_changes) +
                          " change, each subsequent change in the same window can be performed at most once "
                          "every 21600 seconds. Number of updates today: " +
                          std::to_string(changes.size()));
}

void note_changes(api::TableRecord& record, const api::TableSettings& from, const api::TableSettings& to,
                  codec::Timestamp moment) {
  using namespace model::limits;
  if (from.billing_mode != to.billing_mode && to.billing_mode == api::BillingMode::pay_per_request)
    note(record.switches_to_on_demand, switches_to_on_demand, moment);
  if (from.table_class != to.table_class) note(record.table_class_changes, table_class_changes, moment);
  if (from.kms_master_key_arn != to.kms_master_key_arn)
    note(record.encryption_changes, kept_encryption_changes, moment);
}

}  // namespace dinette::dynamodb
