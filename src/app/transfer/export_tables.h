#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "dinette/base/result.h"

#include "app/transfer/transfer.h"

namespace dinette::app {

struct MovedTable {
  std::string name;
  std::uint64_t items = 0;
};

/// Exports tables, all if none is named, each to a folder of its name in `folder`, which must not exist. A
/// table that fails leaves no folder; those before it stay. The error is a sentence for the user.
base::Result<std::vector<MovedTable>, std::string> export_tables(const Transfer& transfer,
                                                                 const std::filesystem::path& folder,
                                                                 std::vector<std::string> names);

}  // namespace dinette::app
