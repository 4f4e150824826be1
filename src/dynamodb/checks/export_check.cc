#include "dynamodb/checks/export_check.h"

#include <string>

#include "dynamodb/tables/export_entry.h"

namespace dinette::dynamodb {
namespace {

kv::Result<void> check_export_entries(const store::View& view, Findings& findings) {
  DINETTE_TRY(store::RowCursor entries, view.scan(exports_space, {}, store::Direction::forward));
  for (;;) {
    DINETTE_TRY(const bool more, entries.next());
    if (!more) return {};
    DINETTE_TRY(const api::ExportEntry entry, decode_export(entries.value()));
    if (key_of(entry) != entries.key())
      findings.fault("the export " + *entry.description.export_arn + " is not where its id says");
  }
}

}  // namespace

void check_exports(const store::View& view, Findings& findings) {
  findings.fault_unless(check_export_entries(view, findings), "the list of exports");
}

}  // namespace dinette::dynamodb
