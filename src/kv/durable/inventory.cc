#include "kv/durable/inventory.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include <unistd.h>

#include "kv/durable/checked_json.h"

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
  DINETTE_TRY(OpenFile file, open_file(folder / file_name));
  std::unique_ptr<Inventory> inventory(new Inventory(folder, std::move(file), std::move(contents)));
  DINETTE_CHECK(inventory->write());
  if (sync) DINETTE_CHECK(inventory->sync());
  return inventory;
}

Result<void> Inventory::set(const std::string& name, std::uint64_t bytes) {
  const std::lock_guard guard(mutex_);
  contents_.files[name] = bytes;
  set_.insert(name);
  return write();
}

Result<void> Inventory::remove(const std::string& name) {
  const std::lock_guard guard(mutex_);
  if (contents_.files.erase(name) == 0) return {};
  set_.erase(name);
  DINETTE_CHECK(write());
  return sync();
}

Result<void> Inventory::close() {
  const std::lock_guard guard(mutex_);
  for (const std::string& name : set_) {
    std::error_code error;
    contents_.files[name] = std::filesystem::file_size(folder_ / name, error);
    if (error) return base::Failure{Error{ErrorKind::io, name + ": " + error.message()}};
  }
  return write();
}

Result<void> Inventory::write() {
  std::string text = text_with_checksum(Json::object({{"files", contents_.files}}));
  size_ = std::max(size_, (text.size() + page - 1) / page * page);
  text.resize(size_, ' ');
  return write_at_begin(file_, text, folder_ / file_name);
}

Result<void> Inventory::sync() {
  return sync_file(file_, folder_ / file_name);
}

}  // namespace dinette::kv::durable
