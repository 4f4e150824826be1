#include "app/tables/tables_commands.h"

#include <algorithm>
#include <iostream>
#include <utility>
#include <vector>

#include "dinette/base/clock.h"
#include "dinette/base/ids.h"

#include "app/called_server.h"
#include "app/credentials/endpoints.h"
#include "app/tables/apply_definitions.h"
#include "app/tables/apply_report.h"
#include "app/tables/compare_tables.h"
#include "app/tables/dry_run.h"
#include "app/tables/server_tables.h"
#include "app/tables/show/show_tables.h"
#include "app/tables/table_sources.h"
#include "app/transfer/work_at.h"

namespace dinette::app {
namespace {

using base::Failure;
using definitions::Definitions;
using definitions::TableDefinition;

std::string region_of(const Options& options) {
  const std::string& given = options.table_command.region;
  return given.empty() ? identity_of_environment().region : given;
}

void print_notes(const Definitions& definitions) {
  for (const auto& warning : definitions.warnings) std::cerr << "warning: " << text_of(warning) << "\n";
  for (const auto& error : definitions.errors) std::cerr << "error: " << text_of(error) << "\n";
}

Definitions definitions_of(const Options& options) {
  auto definitions = read_sources(sources_of(options, region_of(options)));
  select_tables(options.tables, definitions);
  print_notes(definitions);
  return definitions;
}

WorkPlace place_called(const std::string& name, const Options& options, bool make_folder) {
  return {.name = name, .make_folder = make_folder, .region = options.table_command.region};
}

// apply

ApplySettings apply_settings(const TablesOptions& options) {
  ApplySettings settings;
  settings.prune = options.prune;
  if (options.update) settings.existing = OnDifference::update;
  if (options.replace) settings.existing = OnDifference::replace;
  if (options.skip_existing) settings.existing = OnDifference::skip;
  return settings;
}

/// Returns true if it is the service itself.
bool is_of_amazon(const std::string& place) {
  const auto server = read_url(place);
  return is_url(place) && server && is_aws_host(server->host);
}

void print_call(const TriedCall& call) {
  std::cout << "{";
  if (!call.service.empty()) std::cout << "\"service\":\"" << call.service << "\",";
  std::cout << "\"operation\":\"" << call.operation << "\",";
  if (!call.path.empty()) std::cout << "\"path\":\"" << call.path << "\",";
  std::cout << "\"input\":" << call.input << "}\n";
}

/// Applies the definitions by calls that change nothing, and prints these.
std::vector<AppliedResource> try_out(const Transfer& transfer, Operations* real,
                                     const Definitions& definitions, const ApplySettings& settings) {
  DryRun operations(real, print_call);
  return apply_definitions({operations, transfer.clock, transfer.ids, transfer.progress, transfer.patience},
                           definitions, settings);
}

base::Result<std::vector<AppliedResource>, std::string> applied(const Options& options,
                                                                const DataOpeners& openers,
                                                                const Definitions& definitions) {
  const TablesOptions& given = options.table_command;
  const ApplySettings settings = apply_settings(given);
  if (options.destination.empty()) {
    const base::SystemClock clock;
    base::SystemIds ids;
    TransferProgress progress(TransferProgress::suited());
    struct Nothing final : Operations {
      base::Result<OperationReply, NoReply> call(std::string_view, std::string_view) override {
        return Failure{NoReply{"there is no server"}};
      }
    } nothing;
    return try_out({nothing, clock, ids, progress, patience_until([] { return false; })}, nullptr,
                   definitions, settings);
  }
  std::vector<AppliedResource> tables;
  DINETTE_CHECK(work_at(
      openers, place_called(options.destination, options, !given.dry_run), [&](const Transfer& transfer) {
        tables = given.dry_run ? try_out(transfer, &transfer.operations, definitions, settings)
                               : apply_definitions(transfer, definitions, settings);
      }));
  return tables;
}

base::Result<bool, std::string> run_apply(const Options& options, const DataOpeners& openers) {
  const TablesOptions& given = options.table_command;
  if ((given.prune || given.replace) && !given.dry_run && is_of_amazon(options.destination))
    return Failure{
        std::string("--prune and --replace delete tables, and are refused for tables of an AWS account")};
  const Definitions definitions = definitions_of(options);
  if (definitions.tables.empty() && definitions.keyspaces.empty()) return false;
  DINETTE_TRY(const auto tables, applied(options, openers, definitions));
  const bool reports_to_stderr = given.print_environment || given.dry_run;
  std::ostream& report = reports_to_stderr ? std::cerr : std::cout;
  for (const AppliedResource& table : tables) report << report_of(table);
  report << summary_of(tables) << "\n";
  if (given.prune && !definitions.errors.empty())
    std::cerr << "error: nothing was pruned, because the files have errors\n";
  if (given.print_environment) std::cout << environment_lines(definitions.tables);
  return definitions.errors.empty() && std::ranges::all_of(tables, is_as_defined);
}

// diff

Failure<std::string> nothing_to_compare(const std::string& file) {
  return Failure{file + " defines no table of DynamoDB, and nothing else is compared"};
}

base::Result<bool, std::string> run_diff(const Options& options, const DataOpeners& openers) {
  const std::string& file = options.definitions.files.front();
  const std::string& other = options.table_command.other;
  const Definitions left = definitions_of(options);
  if (left.tables.empty() && left.errors.empty()) return nothing_to_compare(file);
  Comparison comparison{file, other, {}, true};
  if (is_url(other)) {
    base::Result<void, std::string> compared;
    DINETTE_CHECK(work_at(openers, place_called(other, options, false), [&](const Transfer& transfer) {
      compared = compare_with_server(transfer, left.tables, options.tables.empty(), comparison);
    }));
    DINETTE_CHECK(compared);
  } else {
    Options others = options;
    others.definitions.files = {other};
    const Definitions right = definitions_of(others);
    if (right.tables.empty() && right.errors.empty()) return nothing_to_compare(other);
    if (right.tables.empty()) return false;
    compare_with_tables(left.tables, right.tables, comparison);
    if (!right.errors.empty()) comparison.is_same = false;
  }
  std::cout << comparison.text;
  return comparison.is_same && left.errors.empty();
}

// show

base::Result<bool, std::string> run_show(const Options& options, const DataOpeners& openers) {
  const TablesOptions& given = options.table_command;
  std::vector<TableDefinition> tables;
  bool is_whole = true;
  if (given.from.empty()) {
    Definitions definitions = definitions_of(options);
    is_whole = definitions.errors.empty();
    tables = std::move(definitions.tables);
  } else {
    base::Result<std::vector<TableDefinition>, std::string> found = Failure{std::string()};
    DINETTE_CHECK(work_at(openers, place_called(given.from, options, false), [&](const Transfer& transfer) {
      found = server_tables(transfer, options.tables);
    }));
    DINETTE_TRY(tables, std::move(found));
  }
  if (tables.empty() && is_whole) return Failure{std::string("there are no tables to show")};
  const ShownTables shown = show_tables(tables, *given.format);
  if (!tables.empty()) std::cout << shown.text;
  for (const std::string& part : shown.left_out) std::cerr << "warning: " << part << "\n";
  return is_whole;
}

}  // namespace

base::Result<bool, std::string> run_tables(const Options& options, const DataOpeners& openers) {
  switch (options.table_command.action) {
    case TablesAction::apply:
      return run_apply(options, openers);
    case TablesAction::diff:
      return run_diff(options, openers);
    case TablesAction::show:
      return run_show(options, openers);
    case TablesAction::none:
      break;
  }
  return false;
}

}  // namespace dinette::app
