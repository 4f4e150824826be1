#include "app/run_command.h"

#include <string>

#include "dinette/base/result.h"

#include "app/check_folder.h"
#include "app/doctor/run_doctor.h"
#include "app/exit_code.h"
#include "app/listen/run_listen.h"
#include "app/mcp/run_mcp.h"
#include "app/policy/run_policy.h"
#include "app/pull/run_pull.h"
#include "app/row_size_command.h"
#include "app/tables/tables_commands.h"
#include "app/transfer/transfer_commands.h"

namespace dinette::app {
namespace {

/// A command that has worked may find that something is not as it should be.
int report_finding(const base::Result<bool, std::string>& is_well) {
  if (!is_well) return report(base::Failure{is_well.error()});
  return *is_well ? exit_success : exit_failure;
}

}  // namespace

int run_command(const Options& options, const DataOpeners& openers) {
  switch (options.command) {
    case Command::export_tables:
      return report(run_export(options, openers));
    case Command::import_tables:
      return report(run_import(options, openers));
    case Command::pull:
      return report(run_pull(options, openers));
    case Command::listen:
      return report(run_listen(options));
    case Command::check_folder:
      return report(run_check(options, openers));
    case Command::mcp:
      return report(run_mcp(options, openers));
    case Command::doctor:
      return report(run_doctor(options));
    case Command::tables:
      return report_finding(run_tables(options, openers));
    case Command::policy:
      return report_finding(run_policy(options));
    case Command::row_size:
      return report(run_row_size(options));
    default:
      return exit_usage;
  }
}

}  // namespace dinette::app
