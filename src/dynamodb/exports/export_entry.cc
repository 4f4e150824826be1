#include "dynamodb/exports/export_entry.h"

#include "dynamodb/api/enums.h"
#include "dynamodb/tasks/dated_id.h"

namespace dinette::dynamodb {

std::string export_key(std::string_view table_arn, std::string_view id) {
  // The space precedes the next character of any longer table name.
  return std::string(table_arn).append(" ").append(newest_first(id));
}

std::string KeptEntry<api::ExportEntry>::key(const api::ExportEntry& entry) {
  return export_key(*entry.description.table_arn, id_of(entry));
}

bool KeptEntry<api::ExportEntry>::is_whole(const api::ExportEntry& entry) {
  const api::ExportDescription& description = entry.description;
  return description.export_arn && description.table_arn && description.start_time &&
         description.export_status;
}

bool KeptEntry<api::ExportEntry>::is_running(const api::ExportEntry& entry) {
  return entry.description.export_status == api::ExportStatus::in_progress;
}

}  // namespace dinette::dynamodb
