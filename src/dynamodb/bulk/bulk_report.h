#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/objects/object_store.h"
#include "dinette/store/row.h"
#include "dinette/store/store.h"

#include "dynamodb/api/bulk_entry.h"

/// The reports that a bulk operation writes for its user (docs/service/export-import.md section 3). A line is
/// kept first, in the commit of the items that it is about; when there are enough of them, they become an
/// object, and are erased in the commit that lists it. So each line is in one listed object, once, wherever a
/// server is stopped.
namespace dinette::dynamodb {

/// Text of kept lines that makes an object of them, about.
inline constexpr std::size_t bulk_report_bytes = 4 << 20;

/// One line of a report.
struct BulkReportLine {
  api::OutputTypeEnum type{};
  std::string text;
};

/// Returns the line of an item that was not put: the `place` in its object counts from 0.
BulkReportLine error_line(const api::BulkEntry& entry, std::int64_t place, std::string_view reason,
                          std::string_view item);
/// Returns the line of an item whose condition has failed: `existing` is the stored item, nothing for none.
BulkReportLine condition_line(const api::BulkEntry& entry, std::int64_t place, std::string_view item,
                              std::optional<std::string_view> existing);

/// Keeps a line, if its report is wanted: notes it in `entry`, and adds its write to `writes`.
void keep_line(api::BulkEntry& entry, const BulkReportLine& line, std::vector<store::KeyWrite>& writes);

/// Returns the index of a report that has lines for an object; with `all`, of one that has any.
std::optional<std::size_t> report_to_write(const api::BulkEntry& entry, bool all);

/// Writes an object of the kept lines of a report. Returns the entry that lists it, to be committed with
/// `erasures`; the inner error if the bucket does not take it.
kv::Result<objects::Result<api::BulkEntry>> write_lines(const store::Store& store,
                                                        objects::ObjectStore& objects,
                                                        const api::BulkEntry& entry, std::size_t report,
                                                        std::vector<store::KeyWrite>& erasures);

/// Adds the erasure of all lines that are kept.
kv::Result<void> erase_lines(const store::Store& store, const api::BulkEntry& entry,
                             std::vector<store::KeyWrite>& erasures);

/// Writes the object that says that an operation has begun: the bucket takes objects.
objects::Result<void> begin_reports(objects::ObjectStore& objects, const api::BulkEntry& entry);

/// Writes the manifests of an operation that has ended. All lines must be in objects.
objects::Result<void> finish_reports(objects::ObjectStore& objects, const api::BulkEntry& ended);

}  // namespace dinette::dynamodb
