#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "dinette/kv/data_folder.h"

#include "kv/durable/inventory.h"

/// Compares the files of a database that is not open with its inventory and with each other, before RocksDB
/// sees them. It writes nothing.
namespace dinette::kv::durable {

/// What is missing or damaged.
struct Damage {
  std::string what;  ///< the beginning of a sentence for the user
  bool of_log = false;
  // If it is a log, the commits before this are all there: up to the log of this number, `whole` bytes of it.
  std::uint64_t log = 0;
  std::uint64_t whole = 0;
};

struct Examination {
  std::optional<Damage> damage = {};
  Inventory::Contents found = {};  ///< the logs, and the MANIFEST with its whole records
};

/// Examines the database in `folder`, which is to have one. `notice` gets what a killed process or a loss of
/// power explains: the end of a log that is half there.
Examination examine(const std::filesystem::path& folder, Notice notice);

/// Returns the name of a log of a database.
std::string log_name(std::uint64_t number);
/// Returns the logs in `folder`, in ascending order.
std::vector<std::uint64_t> logs_in(const std::filesystem::path& folder);

}  // namespace dinette::kv::durable
