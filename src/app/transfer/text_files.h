#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/transfer/table_files.h"

namespace dinette::app {

inline constexpr std::string_view json_items_name = "items.jsonl";
inline constexpr std::string_view csv_items_name = "items.csv";

/// Writes plain JSON, one item per line, to items.jsonl.
std::unique_ptr<TableFiles> open_json_file(const std::filesystem::path& folder);

/// Writes items.csv: first the names of the attributes, keys first, then one row per item. The names are
/// known only at the end, so items are first kept in a file next to it. Most attributes: 10,000.
std::unique_ptr<TableFiles> open_csv_file(const std::filesystem::path& folder, std::vector<std::string> keys);

}  // namespace dinette::app
