#include "app/tables/show/show_tables.h"

namespace dinette::app {

ShownTables show_tables(const std::vector<definitions::TableDefinition>& tables, TableFormat format) {
  switch (format) {
    case TableFormat::cloudformation:
      return as_cloudformation(tables);
    case TableFormat::terraform:
      return as_terraform(tables);
    case TableFormat::cli:
      return as_commands(tables);
    case TableFormat::workbench:
      return as_workbench(tables);
    case TableFormat::json:
      return as_requests(tables);
  }
  return {};
}

}  // namespace dinette::app
