#include "kv/durable/inventory.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include <unistd.h>

#include "kv/durable/checked_json.h"
#include "kv/durable/files.h"

namespace dinette::kv::durable {
namespace {

using Json = nlohmann::json;

/// The file is written in place, a page at a time: a process that is killed leaves the old page or the new
/// one, and so does, with next to all disks, a loss of power.
constexpr std::size_t page = 4096;

}  // namespace

std::optional<Inventory::Contents> Inventory::read(const std::filesystem::path& folder) {
  const auto json = read_checked(read_whole(folder / file_name));
  if (!json) return std::nullopt;
  try {
    return Contents{json->at("files").get<std::map<std::string, std::uint64_t>>()};
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

Result<std::unique_ptr<Inventory>> Inventory::open(const std::filesystem::path& folder, Contents contents,
                                                   bool sync) {
  std::unique_ptr<Inventory> inventory(new Inventory(folder, std::move(contents)));
  DINETTE_CHECK(inventory->write(sync));
  return inventory;
}

Result<void> Inventory::set(const std::string& name, std::uint64_t bytes) {
  const std::lock_guard guard(mutex_);
  contents_.files[name] = bytes;
  set_.insert(name);
  return write(false);
}

Result<void> Inventory::remove(const std::string& name) {
  const std::lock_guard guard(mutex_);
  if (contents_.files.erase(name) == 0) return {};
  set_.erase(name);
  return write(true);
}

Result<void> Inventory::close() {
  const std::lock_guard guard(mutex_);
  for (const std::string& name : set_) {
    std::error_code error;
    contents_.files[name] = std::filesystem::file_size(folder_ / name, error);
    if (error) return base::Failure{Error{ErrorKind::io, name + ": " + error.message()}};
  }
  return write(false);
}

Result<void> Inventory::write(bool sync) {
  std::string text = text_with_checksum(Json::object({{"files", contents_.files}}));
  size_ = std::max(size_, (text.size() + page - 1) / page * page);
  text.resize(size_, ' ');
  // Not kept open, because there may be thousands of databases.
  const std::filesystem::path path = folder_ / file_name;
  DINETTE_TRY(const OpenFile file, open_file(path));
  DINETTE_CHECK(write_at_begin(file, text, path));
  return sync ? sync_file(file, path) : Result<void>();
}

}  // namespace dinette::kv::durable
