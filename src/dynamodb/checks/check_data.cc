#include <string>

#include "dinette/dynamodb/check.h"
#include "dinette/dynamodb/service.h"

#include "dynamodb/checks/backup_check.h"
#include "dynamodb/checks/bulk_check.h"
#include "dynamodb/checks/export_check.h"
#include "dynamodb/checks/findings.h"
#include "dynamodb/checks/import_check.h"
#include "dynamodb/checks/stream_check.h"
#include "dynamodb/checks/table_check.h"
#include "dynamodb/tables/open_table.h"

namespace dinette::dynamodb {
namespace {

constexpr std::size_t tables_per_page = 100;

kv::Result<void> check_tables(store::Store& store, const store::View& view, Findings& findings) {
  std::string last;
  for (;;) {
    DINETTE_TRY(const auto tables, store.catalog().list(last, tables_per_page));
    for (const store::TablePointer& table : tables) {
      ++findings.checked.tables;
      check_table(view, *table, findings);
    }
    if (tables.size() < tables_per_page) return {};
    last = tables.back()->name;
  }
}

}  // namespace

kv::Result<CheckedData> check_data(tenancy::World& world, store::ReportFault report,
                                   base::FunctionRef<void(const CheckedData& so_far)> progress) {
  Findings findings(report, progress);
  findings.fault_unless(store::check_tables(world.engine(), face().id, report), "the list of tables");
  for (store::Store* const store : world.stores(face().id)) {
    DINETTE_TRY(const store::View view, store->view());
    findings.fault_unless(check_tables(*store, view, findings), "the list of tables");
    check_streams(view, findings);
    check_backups(*store, view, findings);
    check_exports(view, findings);
    check_imports(*store, view, findings);
    check_bulk(view, findings);
  }
  return findings.checked;
}

}  // namespace dinette::dynamodb
