#pragma once

#include <filesystem>
#include <optional>
#include <string>

/// What is in a folder that is a data folder, or is to become one.
namespace dinette::kv {

/// Returns true if the program has kept data in the folder, even if some of it is missing.
bool holds_data(const std::filesystem::path& folder);

/// Returns what a new data folder must not hold, if anything. What file systems and people put into a folder
/// that counts as empty does not matter, nor do buckets of S3.
std::optional<std::filesystem::path> other_contents(const std::filesystem::path& folder);

/// Returns a folder inside of one that holds something else, for the data.
std::filesystem::path inner_data_folder(const std::filesystem::path& folder);

/// Returns a folder for the data that may be put where other files are: `path`, or if it holds something
/// else, a folder inside.
std::filesystem::path data_folder_beside(const std::filesystem::path& path);

/// Returns the error of a folder that holds `other`: a sentence that says what to do.
std::string explain_other(const std::filesystem::path& folder, const std::filesystem::path& other);

}  // namespace dinette::kv
