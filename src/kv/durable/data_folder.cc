#include "dinette/kv/data_folder.h"

#include <atomic>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include <rocksdb/cache.h>
#if __has_include(<rocksdb/advanced_cache.h>)
#include <rocksdb/advanced_cache.h>  // defines Cache since RocksDB 8
#endif

#include "dinette/base/descriptors.h"
#include "dinette/base/file_advice.h"
#include "dinette/base/log.h"
#include "dinette/kv/folder_contents.h"

#include "kv/data_folder_names.h"
#include "kv/durable/engine.h"
#include "kv/durable/engine_folders.h"
#include "kv/durable/engine_label.h"
#include "kv/durable/files.h"
#include "kv/durable/manifest.h"
#include "kv/durable/repair.h"

namespace dinette::kv {
namespace durable {
namespace {

namespace fs = std::filesystem;

/// The cache gets this part of the memory; the resident copy gets the rest.
constexpr std::size_t cache_part = 4;

constexpr const char* gone_text =
    "the data folder is no longer where it was: what is written is lost when the server ends. Export what is "
    "needed (dinette export), and restart the server";

/// A folder that this process has to itself.
struct OwnedFolder {
  fs::path path;
  OpenFile lock;

  fs::path engine(std::uint64_t number) const { return engine_folder(path, number); }
  /// Returns false if the folder was removed, moved, or replaced by another one.
  bool is_there() const { return is_same_file(lock, path / lock_name) && fs::exists(path / manifest_name); }
};

/// The folder of one engine. Unless it is kept, it is removed when nothing refers to it any more.
class EngineFolder final : public DatabaseFolder {
 public:
  EngineFolder(std::shared_ptr<const OwnedFolder> owner, std::uint64_t number, bool kept)
      : owner_(std::move(owner)), number_(number), folder_(owner_->engine(number)), kept_(kept) {}
  ~EngineFolder() override {
    if (kept_) return;
    std::error_code error;  // what is left is removed at the next start
    fs::remove_all(folder_, error);
    if (!error) remove_label(folder_);
  }

  const fs::path& path() const override { return folder_; }
  std::uint64_t number() const { return number_; }
  bool is_kept() const override { return kept_; }
  void keep(bool kept) const { kept_ = kept; }

 private:
  const std::shared_ptr<const OwnedFolder> owner_;
  const std::uint64_t number_;
  const fs::path folder_;
  mutable std::atomic<bool> kept_;
};

/// What one more engine, and the rest of the program, needs at the least.
constexpr std::size_t spare_descriptors = 32;

/// Fails before the system does, which would be in the midst of something.
Result<void> check_open_files() {
  const base::DescriptorUse use = base::descriptor_use();
  if (use.open + spare_descriptors <= use.limit) return {};
  return base::Failure{Error{ErrorKind::exhausted,
                             "There is no room for another world: the server may have " +
                                 std::to_string(use.limit) +
                                 " files open. Delete worlds that are not used, or restart the server with a "
                                 "higher limit (ulimit -n)."}};
}

/// Gives out folders. Outlives the DataFolder as long as an engine may be forked.
class EngineFolders : public std::enable_shared_from_this<EngineFolders> {
 public:
  EngineFolders(std::shared_ptr<const OwnedFolder> owner, std::uint64_t last)
      : owner_(std::move(owner)), last_(last) {}

  Result<std::shared_ptr<const EngineFolder>> make() {
    DINETTE_CHECK(check_open_files());
    auto folder = std::make_shared<const EngineFolder>(owner_, ++last_, false);
    DINETTE_CHECK(write_label(folder->path(), {.temporary = true}));
    return folder;
  }
  std::shared_ptr<const EngineFolder> kept(std::uint64_t number) const {
    return std::make_shared<EngineFolder>(owner_, number, true);
  }
  const fs::path& path() const { return owner_->path; }
  bool is_there() const { return owner_->is_there(); }

 private:
  const std::shared_ptr<const OwnedFolder> owner_;
  std::atomic<std::uint64_t> last_;
};

class DataFolder final : public Engines {
 public:
  DataFolder(std::shared_ptr<EngineFolders> folders, Manifest manifest, const EngineSettings& settings)
      : folders_(std::move(folders)), settings_(settings), manifest_(std::move(manifest)) {}

  EngineFigures figures() const override {
    EngineFigures figures = Engines::figures();
    const DatabaseSettings& database = settings_.database;
    figures.durable = {.memory_limit = settings_.resident_bytes,
                       .cache_bytes = database.cache->GetUsage(),
                       .cache_limit = database.cache->GetCapacity(),
                       .unflushed_bytes = database.write_buffers->memory_usage()};
    return figures;
  }

  Capabilities capabilities() const override { return {.may_block = true, .forks = true, .durable = true}; }

  void look_after() override {
    const bool is_gone = !folders_->is_there();
    if (is_gone_ == is_gone) return;
    const std::string folder = folders_->path().string();
    if (is_gone) {
      base::log(base::LogLevel::error, gone_text, {{"folder", folder}});
    } else {
      base::log(base::LogLevel::warn, "the data folder is there again", {{"folder", folder}});
    }
    is_gone_ = is_gone;  // last: who learns of it finds it in the log
  }
  std::optional<std::string> trouble() const override {
    if (is_gone_) return gone_text;
    return settings_.database.failures->trouble();
  }

  Result<std::shared_ptr<Engine>> make() override {
    if (is_read_only()) return make_memory_engines()->make();
    DINETTE_TRY(auto folder, folders_->make());
    return open(std::move(folder));
  }

  std::vector<Kept> kept() const override {
    std::vector<Kept> kept;
    const std::lock_guard guard(mutex_);
    for (const auto& [name, engine] : manifest_.engines) kept.push_back({name, engine.note});
    return kept;
  }

  Result<std::shared_ptr<Engine>> open(std::string_view name) override {
    std::shared_ptr<const EngineFolder> folder;
    {
      const std::lock_guard guard(mutex_);
      const auto found = manifest_.engines.find(name);
      if (found == manifest_.engines.end())
        return base::Failure{Error{ErrorKind::unsupported, "there is no engine " + std::string(name)}};
      folder = folders_->kept(found->second.folder);
      open_folders_.insert_or_assign(std::string(name), folder);
    }
    return open(std::move(folder));
  }

  Result<void> keep(std::string_view name, std::string_view note, const Engine& engine) override {
    if (is_read_only()) return {};
    const auto* in_folder = dynamic_cast<const FolderEngine*>(&engine);
    if (in_folder == nullptr)
      return base::Failure{Error{ErrorKind::unsupported, "an engine of another kind"}};
    const auto folder = std::dynamic_pointer_cast<const EngineFolder>(in_folder->folder());
    const std::lock_guard guard(mutex_);
    Manifest changed = manifest_;
    changed.engines[std::string(name)] = {folder->number(), std::string(note)};
    DINETTE_CHECK(sync_folder(folders_->path() / engines_folder));
    folder->keep(true);
    if (const auto written = replace_manifest(std::move(changed), name); !written) {
      folder->keep(false);
      return written;
    }
    (void)write_label(folder->path(), {.name = std::string(name), .note = std::string(note)});
    adopt(name, folder);
    return {};
  }

  Result<void> forget(std::string_view name) override {
    const std::lock_guard guard(mutex_);
    Manifest changed = manifest_;
    const auto found = changed.engines.find(name);
    if (found == changed.engines.end()) return {};
    changed.engines.erase(found);
    DINETTE_CHECK(replace_manifest(std::move(changed), name));
    adopt(name, nullptr);
    return {};
  }

 private:
  Result<std::shared_ptr<Engine>> open(std::shared_ptr<const EngineFolder> folder) {
    const auto new_folder = [folders = folders_]() -> Result<std::shared_ptr<const DatabaseFolder>> {
      DINETTE_TRY(auto made, folders->make());
      return std::shared_ptr<const DatabaseFolder>(std::move(made));
    };
    auto engine = open_engine(std::move(folder), settings_, new_folder);
    if (!engine) {
      const std::string what =
          "the data in " + folders_->path().string() + " cannot be opened: " + engine.error().message;
      if (engine.error().kind != ErrorKind::corrupt) return base::Failure{Error{engine.error().kind, what}};
      return base::Failure{Error{ErrorKind::corrupt, what + ". " + way_back(folders_->path())}};
    }
    return std::shared_ptr<Engine>(std::move(engine).value());
  }

  bool is_read_only() const { return settings_.database.read_only; }

  /// `name`: of the engine that is another one from now on, or none. The folder that it had is labelled
  /// first: if the process ends before it is removed, the next one removes it.
  Result<void> replace_manifest(Manifest changed, std::string_view name) {
    const auto before = manifest_.engines.find(name);
    const bool had_one = before != manifest_.engines.end();
    const fs::path folder = had_one ? engine_folder(folders_->path(), before->second.folder) : fs::path();
    if (had_one) DINETTE_CHECK(write_label(folder, {.temporary = true}));
    if (const auto written = write_manifest(folders_->path(), changed); !written) {
      if (had_one) (void)write_label(folder, {.name = before->first, .note = before->second.note});
      return written;
    }
    manifest_ = std::move(changed);
    return {};
  }

  /// `folder`: where the engine called `name` is from now on, or null.
  void adopt(std::string_view name, std::shared_ptr<const EngineFolder> folder) {
    auto& slot = open_folders_[std::string(name)];
    if (const auto before = slot.lock(); before && before != folder) before->keep(false);
    slot = folder;
  }

  const std::shared_ptr<EngineFolders> folders_;
  const EngineSettings settings_;
  std::atomic<bool> is_gone_{false};  ///< the folder, when it was looked for last
  mutable std::mutex mutex_;
  Manifest manifest_;                                                                   ///< guarded by mutex_
  std::map<std::string, std::weak_ptr<const EngineFolder>, std::less<>> open_folders_;  ///< guarded by mutex_
};

Result<void> check_contents(const fs::path& folder) {
  if (holds_data(folder)) return {};
  const auto other = other_contents(folder);
  if (!other) return {};
  return base::Failure{Error{ErrorKind::unsupported, explain_other(folder, *other)}};
}

Result<Manifest> read_or_make_manifest(const fs::path& folder) {
  if (holds_data(folder)) return read_whole_manifest(folder);
  DINETTE_CHECK(write_manifest(folder, {}));
  return Manifest();
}

EngineSettings settings_of(const DataFolderOptions& options) {
  const std::size_t cache = options.memory_bytes / cache_part;
  EngineSettings settings{.database = make_database_settings(cache),
                          .sync = options.sync,
                          .resident_bytes = options.resident ? options.memory_bytes - cache : 0};
  settings.database.read_only = options.read_only;
  if (options.notice != nullptr) settings.database.notice = options.notice;
  return settings;
}

std::shared_ptr<Engines> make_engines(OwnedFolder owned, Manifest manifest, std::uint64_t last,
                                      const EngineSettings& settings) {
  auto owner = std::make_shared<const OwnedFolder>(std::move(owned));
  return std::make_shared<DataFolder>(std::make_shared<EngineFolders>(std::move(owner), last),
                                      std::move(manifest), settings);
}

Result<std::shared_ptr<Engines>> open(const fs::path& folder, const EngineSettings& settings) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    return base::Failure{Error{ErrorKind::io, folder.string() + " cannot be made: " + error.message() +
                                                  base::file_advice(folder, error.value())}};
  }
  DINETTE_CHECK(check_contents(folder));
  DINETTE_TRY(OpenFile lock, lock_file(folder / lock_name));
  DINETTE_TRY(Manifest manifest, read_or_make_manifest(folder));
  fs::create_directories(folder / engines_folder, error);
  if (error) return base::Failure{io_error(folder / engines_folder, "made", error)};
  const std::uint64_t last = tidy_engines(folder, manifest, settings.database.notice);
  return make_engines({folder, std::move(lock)}, std::move(manifest), last, settings);
}

Result<void> repair(const fs::path& folder, const EngineSettings& settings) {
  DINETTE_TRY(const OpenFile lock, lock_file(folder / lock_name));
  return repair_folder(folder, settings.database);
}

Result<std::shared_ptr<Engines>> open_to_read(const fs::path& folder, const EngineSettings& settings) {
  DINETTE_TRY(OpenFile lock, share_file(folder / lock_name));
  DINETTE_CHECK(check_contents(folder));
  if (!holds_data(folder))
    return base::Failure{
        Error{ErrorKind::unsupported, folder.string() + " is empty: it is not a data folder"}};
  DINETTE_TRY(Manifest manifest, read_whole_manifest(folder));
  return make_engines({folder, std::move(lock)}, std::move(manifest), 0, settings);
}

}  // namespace
}  // namespace durable

Result<std::shared_ptr<Engines>> open_data_folder(const std::filesystem::path& folder,
                                                  const DataFolderOptions& options) {
  const auto settings = durable::settings_of(options);
  if (options.repair) DINETTE_CHECK(durable::repair(folder, settings));
  return options.read_only ? durable::open_to_read(folder, settings) : durable::open(folder, settings);
}

}  // namespace dinette::kv
