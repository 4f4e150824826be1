#include "dynamodb/checks/import_check.h"

#include <string>

#include "dynamodb/checks/entry_check.h"
#include "dynamodb/imports/import_entry.h"
#include "dynamodb/tables/open_table.h"
#include "dynamodb/tables/table_schema.h"

namespace dinette::dynamodb {
namespace {

kv::Result<void> check_table_of(store::Store& store, const api::ImportEntry& import, Findings& findings) {
  const std::string key = key_of(import);
  DINETTE_TRY(const auto table, store.catalog().open(import.table.table_name));
  const bool filled = table && table->schema_as<TableSchema>().record().import_key == key;
  if (filled != (is_running(import) && import.table_made))
    findings.fault("the table of the import " + key + " does not say what the import says");
  return {};
}

}  // namespace

void check_imports(store::Store& store, const store::View& view, Findings& findings) {
  const auto check = [&](const api::ImportEntry& import) { return check_table_of(store, import, findings); };
  findings.fault_unless(check_entries<api::ImportEntry>(view, findings, check), "the list of imports");
}

}  // namespace dinette::dynamodb
