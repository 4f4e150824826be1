#include "dynamodb/verify/verify_bulk.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include "dynamodb/bulk/bulk_entry.h"
#include "dynamodb/verify/verify_entries.h"

namespace dinette::dynamodb {
namespace {

kv::Result<std::int64_t> count_entries(const store::View& view, store::SpaceId space,
                                       const store::KeyRange& range) {
  DINETTE_TRY(store::RowCursor entries, view.scan(space, range, store::Direction::forward));
  for (std::int64_t entry = 0;; ++entry) {
    DINETTE_TRY(const bool more, entries.next());
    if (!more) return entry;
  }
}

/// What all operations together should have.
struct ExpectedEntries {
  std::int64_t tables = 0;
  std::int64_t lines = 0;
};

kv::Result<void> verify_one_bulk(const store::View& view, const api::BulkEntry& entry,
                                 ExpectedEntries& expected, Findings& findings) {
  const std::string key = key_of(entry);
  if (is_running(entry)) {
    ++expected.tables;
    DINETTE_TRY(const auto running, view.read(bulk_tables_space, entry.table_id));
    if (!running || running->view() != key)
      findings.fault("the table of the bulk operation " + key + " does not say that it runs");
  }
  for (std::size_t i = 0; i < entry.reports.size(); ++i) {
    const std::int64_t pending = entry.reports[i].next_line - entry.reports[i].first_line;
    if (!is_running(entry)) continue;
    expected.lines += pending;
    DINETTE_TRY(const std::int64_t lines,
                count_entries(view, bulk_lines_space, store::KeyRange::of_prefix(bulk_lines_prefix(key, i))));
    if (lines != pending) findings.fault("a report of the bulk operation " + key + " lacks lines");
  }
  return {};
}

kv::Result<void> verify_all_bulk(const store::View& view, Findings& findings) {
  ExpectedEntries expected;
  DINETTE_CHECK(verify_entries<api::BulkEntry>(view, findings, [&](const api::BulkEntry& entry) {
    return verify_one_bulk(view, entry, expected, findings);
  }));
  DINETTE_TRY(const std::int64_t tables, count_entries(view, bulk_tables_space, {}));
  if (tables != expected.tables) findings.fault("a table has a bulk operation that does not run");
  DINETTE_TRY(const std::int64_t lines, count_entries(view, bulk_lines_space, {}));
  if (lines != expected.lines) findings.fault("there are lines of reports that belong to no bulk operation");
  return {};
}

}  // namespace

void verify_bulk(const store::View& view, Findings& findings) {
  findings.fault_unless(verify_all_bulk(view, findings), "the list of bulk operations");
}

}  // namespace dinette::dynamodb
