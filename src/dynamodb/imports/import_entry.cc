#include "dynamodb/imports/import_entry.h"

#include "dynamodb/api/enums.h"
#include "dynamodb/tasks/dated_id.h"

namespace dinette::dynamodb {

std::string KeptEntry<api::ImportEntry>::key(const api::ImportEntry& entry) {
  return newest_first_key(*entry.description.table_arn, id_of(entry));
}

bool KeptEntry<api::ImportEntry>::is_whole(const api::ImportEntry& entry) {
  const api::ImportTableDescription& import = entry.description;
  return import.import_arn && import.table_arn && import.start_time && import.import_status &&
         import.s3_bucket_source && import.input_format;
}

bool KeptEntry<api::ImportEntry>::is_running(const api::ImportEntry& entry) {
  return entry.description.import_status == api::ImportStatus::in_progress;
}

}  // namespace dinette::dynamodb
