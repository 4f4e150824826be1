#include "app/transfer/transfer_commands.h"

#include <cstdint>
#include <filesystem>
#include <iostream>
#include <system_error>
#include <utility>
#include <vector>

#include "app/database_url.h"
#include "app/transfer/export_tables.h"
#include "app/transfer/import_tables.h"
#include "app/transfer/transfer.h"
#include "app/transfer/work_at.h"

namespace dinette::app {
namespace {

using MovedTables = base::Result<std::vector<MovedTable>, std::string>;

/// Moves tables by `move`, which gets a Transfer.
template <class Move>
MovedTables moving(const DataOpeners& openers, const WorkPlace& place, Move move) {
  MovedTables moved = base::Failure{std::string()};
  DINETTE_CHECK(work_at(openers, place, [&](const Transfer& transfer) { moved = move(transfer); }));
  return moved;
}

std::string summary(std::string_view verb, const std::vector<MovedTable>& tables) {
  std::uint64_t items = 0;
  for (const MovedTable& table : tables) items += table.items;
  return std::string(verb) + " " + with_commas(tables.size()) +
         (tables.size() == 1 ? " table, " : " tables, ") + items_text(items);
}

CsvSettings csv_settings_of(const Options& options) {
  using dynamodb::item_files::CellType;
  CsvSettings settings;
  settings.delimiter = options.csv_delimiter;
  settings.cells.types = options.csv_types;
  if (options.csv_infer) settings.cells.others = CellType::inferred;
  return settings;
}

}  // namespace

base::Result<void, std::string> run_export(const Options& options, const DataOpeners& openers) {
  DINETTE_TRY(const auto tables, moving(openers, {.name = options.source}, [&](const Transfer& transfer) {
                return export_tables(
                    transfer, options.destination, options.tables,
                    {options.format.value_or(OutputFormat::dynamodb_json), options.existing});
              }));
  std::cout << summary("exported", tables) << " to " << options.destination << "\n";
  return {};
}

base::Result<void, std::string> run_import(const Options& options, const DataOpeners& openers) {
  ImportSource source{options.source,
                      options.tables.empty() ? "" : options.tables.front(),
                      {},
                      csv_settings_of(options),
                      options.existing};
  for (const KeyOption& key : options.keys) source.keys.push_back({key.name, key.type});
  std::error_code ignored;
  // Otherwise a folder or file that is missing would be noticed only when the destination has been made.
  if (!std::filesystem::exists(options.source, ignored))
    return base::Failure{"there is no file or folder " + options.source};
  DINETTE_TRY(const auto tables,
              moving(openers, {.name = options.destination, .make_folder = true},
                     [&](const Transfer& transfer) { return import_tables(transfer, source); }));
  std::cout << summary("imported", tables) << " into " << shown_place(options.destination) << "\n";
  return {};
}

base::Result<void, std::string> load_tables(Operations& operations, const std::string& folder,
                                            Existing existing, const base::Clock& clock, base::Ids& ids,
                                            std::function<bool()> interrupted) {
  TransferProgress progress(TransferProgress::Shown::log);
  DINETTE_CHECK(import_tables({operations, clock, ids, progress, patience_until(std::move(interrupted))},
                              {folder, "", {}, {}, existing}));
  return {};
}

}  // namespace dinette::app
