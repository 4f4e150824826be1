#include "dynamodb/api/cancel_bulk_operation.h"

#include <span>
#include <string>

#include "dynamodb/api/enums.h"
#include "dynamodb/bulk/bulk_arn.h"
#include "dynamodb/bulk/bulk_entry.h"
#include "dynamodb/tables/open_table.h"

// docs/service/export-import.md section 3.
namespace dinette::dynamodb::ops {

/// The job of the operation sees it, and ends it. What has ended already stays as it is.
Answer<api::CancelBulkOperationOutput> cancel_bulk_operation(const Context& context,
                                                             api::CancelBulkOperationInput&& input) {
  DINETTE_TRY(const std::string key, key_in_bulk_arn(context, input.bulk_operation_arn));
  const auto target = store::WriteTarget::entry(KeptEntry<api::BulkEntry>::space, key);
  Answer<api::BulkOperationStatus> status = bulk_not_found(input.bulk_operation_arn);
  const auto decide = [&](const store::Rows& rows, store::RowChanges changes) {
    status = bulk_not_found(input.bulk_operation_arn);
    if (!rows[0]) return false;
    auto entry = decode_entry<api::BulkEntry>(rows[0]->view());
    if (!entry) {
      status = storage_failure(entry.error());
      return false;
    }
    if (is_over(*entry, context.now)) return false;
    const bool runs = entry->description.bulk_operation_status == api::BulkOperationStatus::in_progress;
    if (runs) entry->description.bulk_operation_status = api::BulkOperationStatus::cancelling;
    status = *entry->description.bulk_operation_status;
    changes[0].row = store::RowChange::Row::put;
    changes[0].value = write_of(*entry).value;
    return runs;
  };
  DINETTE_STORED([[maybe_unused]] const auto written, context.store.write(std::span(&target, 1), decide));
  DINETTE_TRY(const api::BulkOperationStatus answer, std::move(status));
  return api::CancelBulkOperationOutput{input.bulk_operation_arn, answer};
}

}  // namespace dinette::dynamodb::ops
