#include "kv/durable/examine.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cinttypes>
#include <cstdio>
#include <system_error>
#include <utility>
#include <vector>

#include "kv/durable/files.h"
#include "kv/durable/log_scan.h"

namespace dinette::kv::durable {
namespace {

namespace fs = std::filesystem;

std::uint64_t least_bytes(const std::optional<Inventory::Contents>& inventory, const std::string& name) {
  if (!inventory) return 0;
  const auto found = inventory->files.find(name);
  return found == inventory->files.end() ? 0 : found->second;
}

std::optional<std::uint64_t> number_of_log(const fs::path& name) {
  const std::string stem = name.stem().string();
  std::uint64_t number = 0;
  const auto read = std::from_chars(stem.data(), stem.data() + stem.size(), number);
  if (name.extension() != ".log" || read.ec != std::errc() || read.ptr != stem.data() + stem.size())
    return std::nullopt;
  return number;
}

std::string bytes_text(std::uint64_t bytes) {
  return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
}

class Examiner {
 public:
  Examiner(const fs::path& folder, Notice notice)
      : folder_(folder), notice_(notice), inventory_(Inventory::read(folder)) {}

  Examination run() {
    say_unreadable_inventory();
    if (!examine_manifest() || !examine_presence_of_logs()) return std::move(result_);
    examine_logs();
    return std::move(result_);
  }

 private:
  void say_unreadable_inventory() const {
    std::error_code ignored;
    const fs::path path = folder_ / Inventory::file_name;
    if (inventory_ || !fs::exists(path, ignored)) return;
    notice_(path.string() + " cannot be read: whether anything is missing at the end of the logs is unknown");
  }

  bool fails(std::string what) {
    result_.damage = Damage{.what = std::move(what)};
    return false;
  }
  bool fails_at(std::uint64_t log, std::uint64_t whole, std::string what) {
    result_.damage = Damage{.what = std::move(what), .of_log = true, .log = log, .whole = whole};
    return false;
  }

  bool examine_manifest() {
    std::string name = read_whole(folder_ / "CURRENT");
    if (name.empty() || name.back() != '\n')
      return fails((folder_ / "CURRENT").string() + " is missing or damaged");
    name.pop_back();
    const fs::path path = folder_ / name;
    const auto file = MappedFile::open(path);
    if (!file) return fails(path.string() + " is missing");
    const LogScan scan = scan_log(file->bytes(), false);
    result_.found.files[name] = scan.whole;
    const bool is_short = scan.whole < least_bytes(inventory_, name);
    if (scan.goes_on || is_short)
      return fails(path.string() + " is damaged at byte " + std::to_string(scan.whole));
    return true;
  }

  bool examine_presence_of_logs() {
    logs_ = logs_in(folder_);
    if (inventory_) {
      for (const auto& [name, bytes] : inventory_->files) {
        const auto number = number_of_log(name);
        if (number && !std::ranges::binary_search(logs_, *number)) return is_missing(*number);
      }
    }
    return logs_.empty() ? is_missing(1) : true;  // an open database always has one
  }

  bool is_missing(std::uint64_t log) {
    return fails_at(log, 0, (folder_ / log_name(log)).string() + " is missing, which has the newest commits");
  }

  bool examine_logs() {
    std::optional<Sequence> expected;
    std::string torn;  // what is to be said if no commit follows
    for (const std::uint64_t log : logs_) {
      const std::string name = log_name(log);
      const fs::path path = folder_ / name;
      const auto file = MappedFile::open(path);
      if (!file) return fails(path.string() + " cannot be read");
      const LogScan scan = scan_log(file->bytes(), true);
      if (scan.first && expected && *scan.first != *expected)
        return fails_at(log, 0, "commits are missing before those in " + path.string());
      if (scan.first) torn.clear();
      const std::string place = path.string() + " is damaged at byte " + std::to_string(scan.whole);
      if (scan.goes_on)
        return fails_at(
            log, scan.whole,
            place + ", and there are commits in the " + bytes_text(scan.size - scan.whole) + " after it");
      if (scan.whole < least_bytes(inventory_, name))
        return fails_at(log, scan.whole,
                        place + ": it once had " + bytes_text(least_bytes(inventory_, name)));
      result_.found.files[name] = scan.whole;
      if (!scan.is_whole())
        torn = path.string() + " ends in a commit that is half there (" + bytes_text(scan.size - scan.whole) +
               "), as after a loss of power or a killed server; it is left out";
      if (scan.first) expected = scan.next;
    }
    if (!torn.empty()) notice_(torn);
    return true;
  }

  const fs::path& folder_;
  const Notice notice_;
  const std::optional<Inventory::Contents> inventory_;
  std::vector<std::uint64_t> logs_;
  Examination result_;
};

}  // namespace

std::string log_name(std::uint64_t number) {
  std::array<char, 32> name{};
  std::snprintf(name.data(), name.size(), "%06" PRIu64 ".log", number);
  return name.data();
}

std::vector<std::uint64_t> logs_in(const fs::path& folder) {
  std::vector<std::uint64_t> logs;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    if (const auto number = number_of_log(entry.path().filename())) logs.push_back(*number);
  }
  std::ranges::sort(logs);
  return logs;
}

Examination examine(const fs::path& folder, Notice notice) {
  return Examiner(folder, notice).run();
}

}  // namespace dinette::kv::durable
