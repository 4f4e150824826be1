#include "dynamodb/checks/import_check.h"

#include <string>

#include "dynamodb/api/import_entry.h"
#include "dynamodb/imports/import_entry.h"
#include "dynamodb/tables/open_table.h"
#include "dynamodb/tables/table_schema.h"

namespace dinette::dynamodb {
namespace {

kv::Result<void> check_import_entries(store::Store& store, const store::View& view, Findings& findings) {
  DINETTE_TRY(store::RowCursor entries, view.scan(imports_space, {}, store::Direction::forward));
  for (;;) {
    DINETTE_TRY(const bool more, entries.next());
    if (!more) return {};
    DINETTE_TRY(const api::ImportEntry import, decode_import(entries.value()));
    const std::string key = key_of(import);
    if (key != entries.key()) findings.fault("the import " + key + " is not where its id says");
    DINETTE_TRY(const auto table, store.catalog().open(name_space, import.table.table_name));
    const bool filled = table && table->schema_as<TableSchema>().record().import_key == key;
    if (filled != (is_running(import) && import.table_made))
      findings.fault("the table of the import " + key + " does not say what the import says");
  }
}

}  // namespace

void check_imports(store::Store& store, const store::View& view, Findings& findings) {
  findings.fault_unless(check_import_entries(store, view, findings), "the list of imports");
}

}  // namespace dinette::dynamodb
