#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "dinette/base/result.h"

#include "app/output_format.h"
#include "app/transfer/transfer.h"

namespace dinette::app {

struct MovedTable {
  std::string name;
  std::uint64_t items = 0;
};

struct ExportWish {
  OutputFormat format = OutputFormat::dynamodb_json;
  Existing existing = Existing::refuse;
};

/// Exports tables, all if none is named, each to a folder of its name in `folder`; `wish` says what happens
/// if it exists. A table that fails leaves no folder; those before it stay. The error is a sentence for the
/// user.
base::Result<std::vector<MovedTable>, std::string> export_tables(const Transfer& transfer,
                                                                 const std::filesystem::path& folder,
                                                                 std::vector<std::string> names,
                                                                 const ExportWish& wish = {});

}  // namespace dinette::app
