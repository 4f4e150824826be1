#include "kv/durable/repair.h"

#include <memory>
#include <string>
#include <system_error>
#include <utility>

#include "kv/data_folder_names.h"
#include "kv/durable/engine_folders.h"
#include "kv/durable/examine.h"
#include "kv/durable/files.h"
#include "kv/durable/manifest.h"

namespace dinette::kv::durable {
namespace {

namespace fs = std::filesystem;

/// The folder of an engine that stays.
class KeptFolder final : public DatabaseFolder {
 public:
  explicit KeptFolder(fs::path folder) : folder_(std::move(folder)) {}
  const fs::path& path() const override { return folder_; }
  bool is_kept() const override { return true; }

 private:
  const fs::path folder_;
};

/// Where what is left out is kept.
class Dropped {
 public:
  explicit Dropped(const fs::path& folder) : folder_(folder) {
    std::error_code ignored;
    int number = 1;
    while (fs::exists(path_of(number), ignored)) ++number;
    path_ = path_of(number);
  }

  const fs::path& path() const { return path_; }

  /// Copies a file, below the same folders as in the data folder.
  Result<void> keep(const fs::path& file) {
    const fs::path copy = path_ / fs::relative(file, folder_);
    std::error_code error;
    fs::create_directories(copy.parent_path(), error);
    if (!error) fs::copy_file(file, copy, fs::copy_options::overwrite_existing, error);
    if (!error) return {};
    return base::Failure{Error{
        ErrorKind::io, copy.string() + " cannot be written: " + error.message() + ". Nothing is left out"}};
  }

 private:
  fs::path path_of(int number) const { return folder_ / ("dropped-" + std::to_string(number)); }

  const fs::path& folder_;
  fs::path path_;
};

class Repair {
 public:
  Repair(const fs::path& folder, const DatabaseSettings& settings)
      : folder_(folder), settings_(settings), dropped_(folder) {
    settings_.read_only = true;
  }

  Result<void> run() {
    DINETTE_TRY(const Manifest manifest, repair_manifest());
    for (const auto& [name, engine] : manifest.engines)
      DINETTE_CHECK(repair_engine(engine_folder(folder_, engine.folder)));
    return {};
  }

 private:
  void say(const std::string& sentence) const { settings_.notice(sentence); }

  Result<Manifest> repair_manifest() {
    auto whole = read_whole_manifest(folder_);
    if (whole || whole.error().kind != ErrorKind::corrupt) return whole;
    const fs::path path = folder_ / manifest_name;
    std::error_code ignored;
    if (fs::exists(path, ignored)) DINETTE_CHECK(dropped_.keep(path));
    auto manifest = read_manifest(folder_);
    if (manifest) {
      leave_out_missing(*manifest);
    } else {
      manifest = rebuilt_manifest(folder_, settings_.notice);
      say(path.string() + " is written again, with " + std::to_string(manifest->engines.size()) +
          (manifest->engines.size() == 1 ? " world" : " worlds"));
    }
    DINETTE_CHECK(write_manifest(folder_, *manifest));
    return manifest;
  }

  void leave_out_missing(Manifest& manifest) const {
    std::erase_if(manifest.engines, [&](const auto& one) {
      const fs::path engine = engine_folder(folder_, one.second.folder);
      std::error_code ignored;
      if (fs::is_directory(engine, ignored)) return false;
      say(engine.string() + " is missing: " + called(one.first) + " is left out");
      return true;
    });
  }

  Result<void> repair_engine(const fs::path& engine) {
    const Notice silent = [](std::string_view) {};
    while (const auto damage = examine(engine, silent).damage) {
      if (!damage->of_log) return rebuild(engine, damage->what);
      DINETTE_CHECK(end_log(engine, *damage));
    }
    const auto opened = Database::open(std::make_shared<KeptFolder>(engine), settings_);
    if (opened) return {};
    if (opened.error().kind == ErrorKind::corrupt) return rebuild(engine, opened.error().message);
    return base::Failure{opened.error()};
  }

  /// Ends the logs where they are damaged, so that all commits before are there, and none after.
  Result<void> end_log(const fs::path& engine, const Damage& damage) {
    std::uint64_t bytes = 0;
    for (const std::uint64_t log : logs_in(engine)) {
      const fs::path path = engine / log_name(log);
      if (log < damage.log) continue;
      DINETTE_CHECK(dropped_.keep(path));
      bytes += fs::file_size(path) - (log == damage.log ? damage.whole : 0);
      if (log > damage.log) fs::remove(path);
    }
    fs::remove(engine / Inventory::file_name);
    DINETTE_CHECK(cut_file(engine / log_name(damage.log), damage.whole));
    say(damage.what + ". The commits before are kept; " + std::to_string(bytes) +
        " bytes of the log are left out, and kept in " + dropped_.path().string());
    return {};
  }

  /// Has RocksDB look for all data that can be read.
  Result<void> rebuild(const fs::path& engine, const std::string& why) {
    for (const fs::directory_entry& entry : fs::directory_iterator(engine))
      if (entry.is_regular_file()) DINETTE_CHECK(dropped_.keep(entry.path()));
    fs::remove(engine / Inventory::file_name);
    DINETTE_CHECK(Database::rebuild(engine, settings_));
    const auto opened = Database::open(std::make_shared<KeptFolder>(engine), settings_);
    if (!opened) return base::Failure{opened.error()};
    say(why + ". What can be read is kept, without a promise that it is all from one moment; a copy of " +
        engine.string() + " as it was is in " + dropped_.path().string());
    return {};
  }

  const fs::path& folder_;
  DatabaseSettings settings_;
  Dropped dropped_;
};

}  // namespace

Result<void> repair_folder(const fs::path& folder, const DatabaseSettings& settings) try {
  return Repair(folder, settings).run();
} catch (const fs::filesystem_error& error) {
  return base::Failure{Error{ErrorKind::io, error.what()}};
}

}  // namespace dinette::kv::durable
