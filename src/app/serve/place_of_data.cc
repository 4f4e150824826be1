#include "app/serve/place_of_data.h"

#include <filesystem>
#include <optional>
#include <regex>
#include <system_error>

#include "dinette/kv/folder_contents.h"

namespace dinette::app {
namespace {

namespace fs = std::filesystem;

/// Returns a database of DynamoDB Local in `folder`, if there is one. With -sharedDb there is one, otherwise
/// one per access key and region: key_eu-west-1.db.
std::optional<fs::path> local_database_in(const fs::path& folder) {
  const std::regex name("shared-local-instance|.+_[a-z]{2}(-[a-z]+)+-[0-9]");
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    const fs::path& path = entry.path();
    if (path.extension() == ".db" && std::regex_match(path.stem().string(), name)) return path;
  }
  return std::nullopt;
}

std::string explain(const fs::path& database) {
  const std::string inner = kv::inner_data_folder(database.parent_path()).string();
  return database.string() + " is the database of DynamoDB Local. To move its tables, run 'dinette import " +
         database.string() + " --into " + inner + "'; then start with --data " + inner +
         ". To begin without them, name an empty folder";
}

}  // namespace

base::Result<std::string, std::string> place_of_data(const Options& options) {
  const fs::path folder = options.data_folder;
  if (folder.empty() || kv::holds_data(folder)) return folder.string();
  const bool may_be_inside = options.data_folder == options.database_folder;
  if (const auto database = local_database_in(folder);
      database && !(may_be_inside && kv::holds_data(kv::inner_data_folder(folder))))
    return base::Failure{explain(*database)};
  return may_be_inside ? kv::data_folder_beside(folder).string() : folder.string();
}

}  // namespace dinette::app
