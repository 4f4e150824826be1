#include "dinette/kv/folder_contents.h"

#include <algorithm>
#include <system_error>

#include "kv/data_folder_names.h"

namespace dinette::kv {
namespace {

namespace fs = std::filesystem;

constexpr const char* inner_folder = "dinette-data";

bool is_number(const std::string& text) {
  return !text.empty() && std::ranges::all_of(text, [](char digit) { return digit >= '0' && digit <= '9'; });
}

bool has_engines(const fs::path& folder) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder / engines_folder, error)) {
    if (is_number(entry.path().stem().string())) return true;
  }
  return false;
}

bool is_nothing(const fs::path& path) {
  const std::string name = path.filename().string();
  std::error_code ignored;
  if (name == engines_folder) return fs::is_empty(path, ignored);
  return name.starts_with('.') || name == "lost+found" || name == lock_name ||
         name == std::string(manifest_name) + fresh_extension ||  // of a process that ended before its rename
         name == "s3";                                            // buckets, which may be there first
}

}  // namespace

bool holds_data(const fs::path& folder) {
  std::error_code ignored;
  return fs::exists(folder / manifest_name, ignored) || has_engines(folder);
}

std::optional<fs::path> other_contents(const fs::path& folder) {
  std::error_code ignored;
  std::optional<fs::path> other;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    if (is_nothing(entry.path())) continue;
    if (!other || entry.path() < *other) other = entry.path();
  }
  return other;
}

fs::path inner_data_folder(const fs::path& folder) {
  return folder / inner_folder;
}

fs::path data_folder_beside(const fs::path& path) {
  return holds_data(path) || !other_contents(path) ? path : inner_data_folder(path);
}

std::string explain_other(const fs::path& folder, const fs::path& other) {
  return folder.string() + " holds something else (" + other.filename().string() +
         "). Name an empty folder, a new one such as " + inner_data_folder(folder).string() +
         ", or one that was made by this program";
}

}  // namespace dinette::kv
