#pragma once

#include <memory>
#include <optional>
#include <string>

#include "dinette/base/sha256.h"

#include "dynamodb/api/enums.h"
#include "dynamodb/api/export_entry.h"
#include "dynamodb/api/export_table_to_point_in_time.h"
#include "dynamodb/exports/export_filter.h"
#include "dynamodb/request/context.h"
#include "dynamodb/tables/open_table.h"

/// The checks of an export's request, in the order in which they are made
/// (docs/service/export-import.md section 1).
namespace dinette::dynamodb {

/// Checks how the objects are to be encrypted.
Answer<void> check_encryption(std::optional<api::S3SseAlgorithm> algorithm,
                              const std::optional<std::string>& kms_key_id);

/// Checks what needs no table. Returns the filter, null for none.
Answer<std::unique_ptr<const ExportFilter>> check_export_members(
    const Context& context, const api::ExportTableToPointInTimeInput& input);

/// Returns the time of the request's export, or the window, as the answer shows them. Refuses what lies
/// outside of the time that the table can be restored to.
struct ExportTimes {
  std::optional<codec::Timestamp> export_time;
  std::optional<api::IncrementalExportSpecification> window;
};
Answer<ExportTimes> export_times(const Context& context, const api::ExportTableToPointInTimeInput& input,
                                 const api::TableRecord& table);

/// Returns a digest of everything but the ClientToken.
base::Sha256Digest digest_of(const api::ExportTableToPointInTimeInput& input);

}  // namespace dinette::dynamodb
