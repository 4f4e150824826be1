#include "dynamodb/verify/verify_imports.h"

#include <string>

#include "dynamodb/imports/import_entry.h"
#include "dynamodb/tables/open_table.h"
#include "dynamodb/tables/table_schema.h"
#include "dynamodb/verify/verify_entries.h"

namespace dinette::dynamodb {
namespace {

kv::Result<void> verify_table_of(store::Store& store, const api::ImportEntry& import, Findings& findings) {
  const std::string key = key_of(import);
  DINETTE_TRY(const auto table, store.catalog().open(import.table.table_name));
  const bool filled = table && table->schema_as<TableSchema>().record().import_key == key;
  if (filled != (is_running(import) && import.table_made))
    findings.fault("the table of the import " + key + " does not say what the import says");
  return {};
}

}  // namespace

void verify_imports(store::Store& store, const store::View& view, Findings& findings) {
  const auto verify = [&](const api::ImportEntry& import) {
    return verify_table_of(store, import, findings);
  };
  findings.fault_unless(verify_entries<api::ImportEntry>(view, findings, verify), "the list of imports");
}

}  // namespace dinette::dynamodb
