#include "dynamodb/api/describe_continuous_backups.h"

#include "dynamodb/api/continuous_backups_description.h"
#include "dynamodb/tables/open_table.h"
#include "dynamodb/tables/recovery.h"

// docs/service/backups-pitr.md section 2.
namespace dinette::dynamodb::ops {

Answer<api::DescribeContinuousBackupsOutput> describe_continuous_backups(
    const Context& context, api::DescribeContinuousBackupsInput&& input) {
  DINETTE_TRY(const OpenTable table, open_for_backup(context, input.table_name));
  return api::DescribeContinuousBackupsOutput{
      describe_recovery(table.record(), context.now, context.settings.recovery_window)};
}

}  // namespace dinette::dynamodb::ops
