#include "app/check_folder.h"

#include <cstdint>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "dinette/base/clock.h"
#include "dinette/base/ids.h"
#include "dinette/base/utf8.h"
#include "dinette/cql/verify.h"
#include "dinette/dynamodb/verify.h"
#include "dinette/kinesis/verify.h"
#include "dinette/lambda/verify.h"
#include "dinette/tablestore/verify.h"
#include "dinette/tenancy/worlds.h"

#include "app/database_url.h"
#include "app/open_instance.h"
#include "app/service_settings.h"
#include "app/transfer/transfer.h"
#include "app/transfer/transfer_progress.h"

namespace dinette::app {
namespace {

using dynamodb::VerifiedData;

constexpr std::size_t most_faults_shown = 100;

/// What is wrong, up to as many faults as are shown.
struct Faults {
  std::vector<std::string> shown;
  std::uint64_t found = 0;

  void add(std::string fault) {
    if (++found <= most_faults_shown) shown.push_back(std::move(fault));
  }
};

void add(VerifiedData& sum, const VerifiedData& checked) {
  sum.tables += checked.tables;
  sum.items += checked.items;
  sum.index_entries += checked.index_entries;
  sum.stream_records += checked.stream_records;
}

void print_notice(std::string_view sentence) {
  std::cout << sentence << "\n";
}

base::Result<std::unique_ptr<dynamodb::Instance>, std::string> open(const Options& options,
                                                                    const DataOpeners& openers,
                                                                    const base::Clock& clock,
                                                                    base::Ids& ids) {
  std::error_code ignored;
  if (!is_database(options.source) && !std::filesystem::is_directory(options.source, ignored))
    return base::Failure{"'" + options.source + "' is not a folder"};
  kv::DataFolderOptions folder = data_folder_settings(options);
  folder.resident = false;  // what is on the disk is to be read, and read once
  folder.read_only = true;
  folder.repair = options.repair;
  folder.notice = &print_notice;
  DINETTE_TRY(auto engines, open_engines(openers, options.source, folder));
  return open_instance(
      {.service = service_settings(options, {}), .engines = std::move(engines), .run_jobs = false}, clock,
      ids);
}

void check_streams(const tenancy::ListedWorld& world, const std::string& where, kinesis::VerifiedStreams& sum,
                   Faults& faults) {
  const auto checked =
      kinesis::verify_streams(*world.world, [&](std::string fault) { faults.add(where + fault); });
  if (!checked) return faults.add(where + checked.error().message);
  sum.streams += checked->streams;
  sum.records += checked->records;
}

void check_mappings(const tenancy::ListedWorld& world, const std::string& where, std::uint64_t& sum,
                    Faults& faults) {
  const auto checked =
      lambda::verify_mappings(*world.world, [&](std::string fault) { faults.add(where + fault); });
  if (!checked) return faults.add(where + checked.error().message);
  sum += *checked;
}

void check_tables(const tenancy::ListedWorld& world, const std::string& where,
                  tablestore::VerifiedTables& sum, Faults& faults) {
  const auto checked =
      tablestore::verify_tables(*world.world, [&](std::string fault) { faults.add(where + fault); });
  if (!checked) return faults.add(where + checked.error().message);
  sum.tables += checked->tables;
  sum.rows += checked->rows;
}

void check_rows(const tenancy::ListedWorld& world, const std::string& where, cql::VerifiedRows& sum,
                Faults& faults) {
  const auto checked = cql::verify_rows(*world.world, [&](std::string fault) { faults.add(where + fault); });
  if (!checked) return faults.add(where + checked.error().message);
  sum.tables += checked->tables;
  sum.rows += checked->rows;
}

/// What other front ends than DynamoDB have.
struct Others {
  kinesis::VerifiedStreams streams;
  std::uint64_t mappings = 0;
  tablestore::VerifiedTables tables;
  cql::VerifiedRows rows;
};

VerifiedData check_world(const tenancy::ListedWorld& world, TransferProgress& progress, Others& others,
                         Faults& faults) {
  const std::string where = world.name.empty() ? "" : "world " + world.name + ": ";
  const auto size = world.world->size();
  progress.begin("checking", world.name.empty() ? "the default world" : world.name, size ? size->rows : 0);
  std::uint64_t shown = 0;
  const auto checked = dynamodb::verify_data(
      *world.world, [&](std::string fault) { faults.add(where + fault); },
      [&](const VerifiedData& so_far) { progress.add(so_far.items - std::exchange(shown, so_far.items)); });
  if (checked) progress.add(checked->items - shown);
  progress.end();
  check_streams(world, where, others.streams, faults);
  check_mappings(world, where, others.mappings, faults);
  check_tables(world, where, others.tables, faults);
  check_rows(world, where, others.rows, faults);
  if (checked) return *checked;
  faults.add(where + checked.error().message);
  return {};
}

void print(const Faults& faults) {
  for (const std::string& fault : faults.shown) std::cout << base::printable(fault) << "\n";
  if (faults.found > faults.shown.size())
    std::cout << "and " << with_commas(faults.found - faults.shown.size()) << " more\n";
}

/// Leaves out what there is none of.
std::string text_of(const Others& others) {
  std::string text;
  const kinesis::VerifiedStreams& streams = others.streams;
  if (streams.streams > 0) {
    text += ", " + count_text(streams.streams, "Kinesis stream", "Kinesis streams") + ", " +
            count_text(streams.records, "Kinesis record", "Kinesis records");
  }
  if (others.mappings > 0)
    text += ", " + count_text(others.mappings, "event source mapping", "event source mappings");
  if (others.tables.tables > 0) {
    text += ", " + count_text(others.tables.tables, "Tablestore table", "Tablestore tables") + ", " +
            count_text(others.tables.rows, "Tablestore row", "Tablestore rows");
  }
  if (others.rows.tables > 0) {
    text += ", " + count_text(others.rows.tables, "Keyspaces table", "Keyspaces tables") + ", " +
            count_text(others.rows.rows, "Keyspaces row", "Keyspaces rows");
  }
  return text;
}

std::string text_of(const VerifiedData& checked, std::size_t worlds) {
  return "checked " + count_text(worlds, "world", "worlds") + ", " +
         count_text(checked.tables, "table", "tables") + ", " + items_text(checked.items) + ", " +
         count_text(checked.index_entries, "index entry", "index entries") + ", " +
         count_text(checked.stream_records, "stream record", "stream records");
}

}  // namespace

base::Result<void, std::string> run_check(const Options& options, const DataOpeners& openers) {
  const base::SystemClock clock;
  base::SystemIds ids;
  DINETTE_TRY(const auto instance, open(options, openers, clock, ids));
  const auto worlds = instance->worlds().list();
  TransferProgress progress(TransferProgress::suited());
  Faults faults;
  VerifiedData checked;
  Others others;
  for (const tenancy::ListedWorld& world : worlds) add(checked, check_world(world, progress, others, faults));
  print(faults);
  const std::string text = text_of(checked, worlds.size()) + text_of(others);
  if (faults.found > 0) return base::Failure{text + "; found " + count_text(faults.found, "fault", "faults")};
  std::cout << text << "; all is well\n";
  return {};
}

}  // namespace dinette::app
