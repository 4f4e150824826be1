#include "app/transfer/transfer_commands.h"

#include <cstdint>
#include <filesystem>
#include <iostream>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>

#include "app/called_server.h"
#include "app/signals.h"
#include "app/transfer/export_tables.h"
#include "app/transfer/import_tables.h"
#include "app/transfer/local_operations.h"
#include "app/transfer/remote_operations.h"
#include "app/transfer/transfer.h"

namespace dinette::app {
namespace {

using MovedTables = base::Result<std::vector<MovedTable>, std::string>;

/// Returns true for "localhost:8000", unless there is a folder of that name.
bool lacks_scheme(const std::string& place) {
  std::error_code ignored;
  return read_url("http://" + place).ok() && place.find(':') != std::string::npos &&
         !std::filesystem::exists(place, ignored);
}

base::Result<std::unique_ptr<Operations>, std::string> open(OpenDataFolder open_data_folder,
                                                            const std::string& place, bool make_folder,
                                                            const base::Clock& clock, base::Ids& ids) {
  if (lacks_scheme(place))
    return base::Failure{"'" + place + "' is not a folder; for a server begin with http://"};
  if (!is_url(place)) return open_folder(open_data_folder, place, make_folder, clock, ids);
  DINETTE_TRY(auto server, read_url(place));
  return std::unique_ptr<Operations>(
      std::make_unique<RemoteOperations>(std::move(server), identity_of_environment(), clock));
}

/// Opens the place, moves tables by `move`, which gets a Transfer, and ends well if the user interrupts it.
template <class Move>
MovedTables moving(OpenDataFolder open_data_folder, const std::string& place, bool make_folder, Move move) {
  EndSignals end;
  const base::SystemClock clock;
  base::SystemIds ids;
  DINETTE_TRY(const auto operations, open(open_data_folder, place, make_folder, clock, ids));
  TransferProgress progress(TransferProgress::suited());
  const auto moved =
      move(Transfer{*operations, clock, ids, progress, patience_until([&] { return end.arrived(); })});
  if (end.arrived()) end.wait();  // takes the signal, which would end the program without a word
  return moved;
}

std::string summary(std::string_view verb, const std::vector<MovedTable>& tables) {
  std::uint64_t items = 0;
  for (const MovedTable& table : tables) items += table.items;
  return std::string(verb) + " " + with_commas(tables.size()) +
         (tables.size() == 1 ? " table, " : " tables, ") + items_text(items);
}

}  // namespace

base::Result<void, std::string> run_export(const Options& options, OpenDataFolder open_data_folder) {
  DINETTE_TRY(const auto tables,
              moving(open_data_folder, options.source, false, [&](const Transfer& transfer) {
                return export_tables(transfer, options.destination, options.tables,
                                     {options.format.value_or(FileFormat::dynamodb_json), options.existing});
              }));
  std::cout << summary("exported", tables) << " to " << options.destination << "\n";
  return {};
}

base::Result<void, std::string> run_import(const Options& options, OpenDataFolder open_data_folder) {
  ImportSource source{options.source, options.tables.empty() ? "" : options.tables.front(), {}, {}};
  source.existing = options.existing;
  for (const KeyOption& key : options.keys) source.keys.push_back({key.name, key.type});
  std::error_code ignored;
  // Else a folder that is missing would be noticed only when the destination has been made.
  if (!std::filesystem::is_directory(options.source, ignored))
    return base::Failure{options.source + " is not a folder"};
  DINETTE_TRY(const auto tables,
              moving(open_data_folder, options.destination, true,
                     [&](const Transfer& transfer) { return import_tables(transfer, source); }));
  std::cout << summary("imported", tables) << " into " << options.destination << "\n";
  return {};
}

base::Result<void, std::string> load_tables(Operations& operations, const std::string& folder,
                                            const base::Clock& clock, base::Ids& ids,
                                            std::function<bool()> interrupted) {
  TransferProgress progress(TransferProgress::Shown::log);
  DINETTE_CHECK(import_tables({operations, clock, ids, progress, patience_until(std::move(interrupted))},
                              {folder, "", {}, {}}));
  return {};
}

}  // namespace dinette::app
