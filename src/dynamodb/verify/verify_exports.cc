#include "dynamodb/verify/verify_exports.h"

#include "dynamodb/exports/export_entry.h"
#include "dynamodb/verify/verify_entries.h"

namespace dinette::dynamodb {

void verify_exports(const store::View& view, Findings& findings) {
  const auto no_more = [](const api::ExportEntry&) { return kv::Result<void>(); };
  findings.fault_unless(verify_entries<api::ExportEntry>(view, findings, no_more), "the list of exports");
}

}  // namespace dinette::dynamodb
