#include "dynamodb/checks/export_check.h"

#include "dynamodb/checks/entry_check.h"
#include "dynamodb/exports/export_entry.h"

namespace dinette::dynamodb {

void check_exports(const store::View& view, Findings& findings) {
  const auto no_more = [](const api::ExportEntry&) { return kv::Result<void>(); };
  findings.fault_unless(check_entries<api::ExportEntry>(view, findings, no_more), "the list of exports");
}

}  // namespace dinette::dynamodb
