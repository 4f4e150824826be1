#include "dynamodb/api/list_backups.h"

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dynamodb/api/backup_summary.h"
#include "dynamodb/api/enums.h"
#include "dynamodb/api/limits.h"
#include "dynamodb/backups/backup_arn.h"
#include "dynamodb/backups/backup_description.h"
#include "dynamodb/tables/backup_entry.h"
#include "dynamodb/tables/open_table.h"

// docs/service/backups-pitr.md section 1.
namespace dinette::dynamodb::ops {
namespace {

/// Which backups a request asks for.
class Filter {
 public:
  Filter(const Context& context, const api::ListBackupsInput& input)
      : now_(context.now), type_(input.backup_type.value_or(api::BackupTypeFilter::user)) {
    if (input.table_name) table_ = table_name_of(*input.table_name).value_or(*input.table_name);
    if (input.time_range_lower_bound) lower_ = input.time_range_lower_bound->milliseconds;
    if (input.time_range_upper_bound) upper_ = input.time_range_upper_bound->milliseconds;
  }

  bool is_empty() const { return lower_ > upper_; }

  bool admits(const api::BackupEntry& backup) const {
    const bool expired = backup.expiry && *backup.expiry <= now_;
    return !expired && admits(backup.type) && (!table_ || backup.table.table_name == *table_) &&
           backup.created.milliseconds >= lower_ && backup.created.milliseconds <= upper_;
  }

 private:
  bool admits(api::BackupType type) const {
    switch (type_) {
      case api::BackupTypeFilter::all:
        return true;
      case api::BackupTypeFilter::user:
        return type == api::BackupType::user;
      case api::BackupTypeFilter::system:
        return type == api::BackupType::system;
      case api::BackupTypeFilter::aws_backup:
        return type == api::BackupType::aws_backup;
    }
    return false;
  }

  const codec::Timestamp now_;
  const api::BackupTypeFilter type_;
  std::optional<std::string> table_;
  std::int64_t lower_ = std::numeric_limits<std::int64_t>::min();
  std::int64_t upper_ = std::numeric_limits<std::int64_t>::max();
};

/// The place to begin after: a mere position, whether there is such a backup or not. Empty: at the beginning.
Answer<std::string> start_of(const Context& context, const std::optional<std::string>& text) {
  if (!text) return std::string();
  DINETTE_TRY(const BackupArn arn, parse_backup_arn(context, *text));
  if (arn.region == context.region) return arn.key();
  return validation("Invalid Request: The supplied ExclusiveStartBackupArn does not match the region");
}

/// Returns the backups that the filter admits, one more than the page if there are more.
Answer<std::vector<api::BackupEntry>> find(const Context& context, const Filter& filter,
                                           const std::string& after, std::size_t most) {
  store::KeyRange range;
  if (!after.empty()) range.start_after(after, store::Direction::forward);
  DINETTE_STORED(const store::View view, context.store.view());
  std::vector<api::BackupEntry> found;
  const auto listed = for_each_entry<api::BackupEntry>(view, range, [&](const api::BackupEntry& backup) {
    if (filter.admits(backup)) found.push_back(backup);
    return found.size() < most;
  });
  if (!listed) return storage_failure(listed.error());
  return found;
}

}  // namespace

Answer<api::ListBackupsOutput> list_backups(const Context& context, api::ListBackupsInput&& input) {
  constexpr std::int32_t longest_page = 100;
  const Filter filter(context, input);
  if (filter.is_empty()) return invalid("Time range lower bound must be less than or equal to upper bound");
  DINETTE_TRY(const std::string after, start_of(context, input.exclusive_start_backup_arn));
  const auto limit = static_cast<std::size_t>(input.limit.value_or(longest_page));
  DINETTE_TRY(auto backups, find(context, filter, after, limit + 1));
  api::ListBackupsOutput output;
  if (backups.size() > limit) {
    backups.pop_back();
    output.last_evaluated_backup_arn = arn_of(backups.back());
  }
  auto& summaries = output.backup_summaries.emplace();
  for (const api::BackupEntry& backup : backups) {
    DINETTE_TRY(const api::BackupStatus status, status_of(context, backup));
    summaries.push_back(summarize(backup, status));
  }
  return output;
}

}  // namespace dinette::dynamodb::ops
