#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/json.h"

namespace dinette::mcp {

/// The largest file that is read, in bytes, and the most items of it.
inline constexpr std::size_t most_file_bytes = 16 << 20;
inline constexpr std::size_t most_file_items = 10'000;

/// Returns what is in a file of a folder. `path`: relative to the folder, or absolute. Refuses, without
/// saying whether it exists, what is not a regular file in the folder or one below, also where links lead; a
/// folder without a name has no files. The error is a sentence.
base::Result<std::string, std::string> read_file_in(const std::filesystem::path& folder,
                                                    const std::string& path);

/// Returns the items of a text: a list of items, an object with a list "Items" (what `aws dynamodb scan`
/// prints), or one JSON value per line. {"Item": {...}}, as in exports, is its item. They are as they were
/// given, plain or typed. The error is a sentence.
base::Result<std::vector<Json>, std::string> items_in_text(std::string_view text);

/// Returns the item of an element of a list: it may be within {"Item": {...}}.
Json unwrapped_item(Json element);

}  // namespace dinette::mcp
