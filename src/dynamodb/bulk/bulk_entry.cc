#include "dynamodb/bulk/bulk_entry.h"

#include "dinette/base/bytes.h"

#include "dynamodb/api/enums.h"
#include "dynamodb/tasks/dated_id.h"

namespace dinette::dynamodb {

std::string KeptEntry<api::BulkEntry>::key(const api::BulkEntry& entry) {
  return newest_first_key(entry.table_arn, id_of(entry));
}

bool KeptEntry<api::BulkEntry>::is_whole(const api::BulkEntry& entry) {
  const api::BulkOperationDescription& bulk = entry.description;
  return bulk.bulk_operation_arn && bulk.bulk_operation_status && bulk.start_time &&
         bulk.input_s3_configuration && bulk.output_s3_configuration && bulk.processed_item_count &&
         bulk.failed_item_count && bulk.bulk_operation_usage && bulk.bulk_operation_usage->size() == 1;
}

bool KeptEntry<api::BulkEntry>::is_running(const api::BulkEntry& entry) {
  return entry.description.bulk_operation_status == api::BulkOperationStatus::in_progress ||
         is_cancelling(entry);
}

bool is_cancelling(const api::BulkEntry& entry) {
  return entry.description.bulk_operation_status == api::BulkOperationStatus::cancelling;
}

std::string bulk_lines_prefix(std::string_view operation, std::size_t report) {
  return std::string(operation).append(" ").append(std::to_string(report)).append(" ");
}

std::string bulk_line_key(std::string_view operation, std::size_t report, std::int64_t line) {
  std::string key = bulk_lines_prefix(operation, report);
  base::append_big_endian(key, static_cast<std::uint64_t>(line));
  return key;
}

}  // namespace dinette::dynamodb
