#include <string>

#include "dinette/dynamodb/service.h"
#include "dinette/dynamodb/verify.h"

#include "dynamodb/tables/open_table.h"
#include "dynamodb/verify/findings.h"
#include "dynamodb/verify/verify_backups.h"
#include "dynamodb/verify/verify_bulk.h"
#include "dynamodb/verify/verify_destinations.h"
#include "dynamodb/verify/verify_exports.h"
#include "dynamodb/verify/verify_imports.h"
#include "dynamodb/verify/verify_streams.h"
#include "dynamodb/verify/verify_table.h"

namespace dinette::dynamodb {
namespace {

constexpr std::size_t tables_per_page = 100;

kv::Result<void> verify_tables(store::Store& store, const store::View& view, Findings& findings) {
  std::string last;
  for (;;) {
    DINETTE_TRY(const auto tables, store.catalog().list(last, tables_per_page));
    for (const store::TablePointer& table : tables) {
      ++findings.verified.tables;
      verify_table(view, *table, findings);
      verify_destinations_of(view, *table, findings);
    }
    if (tables.size() < tables_per_page) return {};
    last = tables.back()->name;
  }
}

}  // namespace

kv::Result<VerifiedData> verify_data(tenancy::World& world, store::ReportFault report,
                                     base::FunctionRef<void(const VerifiedData& so_far)> progress) {
  Findings findings(report, progress);
  findings.fault_unless(store::verify_tables(world.engine(), face().id, report), "the list of tables");
  for (store::Store* const store : world.stores(face().id)) {
    DINETTE_TRY(const store::View view, store->view());
    findings.fault_unless(verify_tables(*store, view, findings), "the list of tables");
    verify_streams(view, findings);
    verify_destinations(*store, view, findings);
    verify_backups(*store, view, findings);
    verify_exports(view, findings);
    verify_imports(*store, view, findings);
    verify_bulk(view, findings);
  }
  return findings.verified;
}

}  // namespace dinette::dynamodb
