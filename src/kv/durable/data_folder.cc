#include "dinette/kv/data_folder.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include <rocksdb/cache.h>
#if __has_include(<rocksdb/advanced_cache.h>)
#include <rocksdb/advanced_cache.h>  // defines Cache since RocksDB 8
#endif

#include "kv/durable/engine.h"
#include "kv/durable/files.h"
#include "kv/durable/manifest.h"

namespace dinette::kv {
namespace durable {
namespace {

namespace fs = std::filesystem;

constexpr const char* engines_folder = "engines";
constexpr const char* lock_name = "LOCK";

/// The cache gets this part of the memory; the resident copy gets the rest.
constexpr std::size_t cache_part = 4;

Error io_error(const fs::path& path, const char* what, const std::error_code& error) {
  return {ErrorKind::io, path.string() + " cannot be " + what + ": " + error.message()};
}

/// A folder that this process has to itself.
struct OwnedFolder {
  fs::path path;
  OpenFile lock;

  fs::path engine(std::uint64_t number) const { return path / engines_folder / std::to_string(number); }
};

/// The folder of one engine. Unless it is kept, it is removed when nothing refers to it any more.
class EnginePlace final : public Place {
 public:
  EnginePlace(std::shared_ptr<const OwnedFolder> owner, std::uint64_t number, bool kept)
      : owner_(std::move(owner)), number_(number), folder_(owner_->engine(number)), kept_(kept) {}
  ~EnginePlace() override {
    if (kept_) return;
    std::error_code ignored;  // what is left is removed at the next start
    fs::remove_all(folder_, ignored);
  }

  const fs::path& folder() const override { return folder_; }
  std::uint64_t number() const { return number_; }
  bool keep(bool kept) const { return kept_.exchange(kept); }

 private:
  const std::shared_ptr<const OwnedFolder> owner_;
  const std::uint64_t number_;
  const fs::path folder_;
  mutable std::atomic<bool> kept_;
};

/// Gives out places. Outlives the DataFolder as long as an engine may be forked.
class Places : public std::enable_shared_from_this<Places> {
 public:
  Places(std::shared_ptr<const OwnedFolder> owner, std::uint64_t last)
      : owner_(std::move(owner)), last_(last) {}

  std::shared_ptr<const EnginePlace> make() { return std::make_shared<EnginePlace>(owner_, ++last_, false); }
  std::shared_ptr<const EnginePlace> kept(std::uint64_t number) const {
    return std::make_shared<EnginePlace>(owner_, number, true);
  }
  const fs::path& path() const { return owner_->path; }

 private:
  const std::shared_ptr<const OwnedFolder> owner_;
  std::atomic<std::uint64_t> last_;
};

class DataFolder final : public Engines {
 public:
  DataFolder(std::shared_ptr<Places> places, Manifest manifest, const EngineSettings& settings)
      : places_(std::move(places)), settings_(settings), manifest_(std::move(manifest)) {}

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

  Result<std::shared_ptr<Engine>> make() override { return open(places_->make()); }

  std::vector<Kept> kept() const override {
    std::vector<Kept> kept;
    const std::lock_guard guard(mutex_);
    for (const auto& [name, engine] : manifest_.engines) kept.push_back({name, engine.note});
    return kept;
  }

  Result<std::shared_ptr<Engine>> open(std::string_view name) override {
    std::shared_ptr<const EnginePlace> place;
    {
      const std::lock_guard guard(mutex_);
      const auto found = manifest_.engines.find(name);
      if (found == manifest_.engines.end())
        return base::Failure{Error{ErrorKind::unsupported, "there is no engine " + std::string(name)}};
      place = places_->kept(found->second.folder);
      open_places_.insert_or_assign(std::string(name), place);
    }
    return open(std::move(place));
  }

  Result<void> keep(std::string_view name, std::string_view note, const Engine& engine) override {
    const auto* placed = dynamic_cast<const PlacedEngine*>(&engine);
    if (placed == nullptr) return base::Failure{Error{ErrorKind::unsupported, "an engine of another kind"}};
    const auto place = std::dynamic_pointer_cast<const EnginePlace>(placed->place());
    const std::lock_guard guard(mutex_);
    Manifest changed = manifest_;
    changed.engines[std::string(name)] = {place->number(), std::string(note)};
    place->keep(true);
    if (const auto written = write_manifest(places_->path(), changed); !written) {
      place->keep(false);
      return written;
    }
    adopt(std::move(changed), name, place);
    return {};
  }

  Result<void> forget(std::string_view name) override {
    const std::lock_guard guard(mutex_);
    Manifest changed = manifest_;
    const auto found = changed.engines.find(name);
    if (found == changed.engines.end()) return {};
    changed.engines.erase(found);
    DINETTE_CHECK(write_manifest(places_->path(), changed));
    adopt(std::move(changed), name, nullptr);
    return {};
  }

 private:
  Result<std::shared_ptr<Engine>> open(std::shared_ptr<const EnginePlace> place) {
    const auto new_place = [places = places_]() -> Result<std::shared_ptr<const Place>> {
      return std::shared_ptr<const Place>(places->make());
    };
    auto engine = open_engine(std::move(place), settings_, new_place);
    if (!engine) {
      return base::Failure{Error{engine.error().kind, "the data in " + places_->path().string() +
                                                          " cannot be opened: " + engine.error().message}};
    }
    return std::shared_ptr<Engine>(std::move(engine).value());
  }

  /// `place`: where the engine called `name` is from now on, or null.
  void adopt(Manifest manifest, std::string_view name, std::shared_ptr<const EnginePlace> place) {
    manifest_ = std::move(manifest);
    auto& slot = open_places_[std::string(name)];
    if (const auto before = slot.lock(); before && before != place) before->keep(false);
    slot = place;
  }

  const std::shared_ptr<Places> places_;
  const EngineSettings settings_;
  mutable std::mutex mutex_;
  Manifest manifest_;                                                                 ///< guarded by mutex_
  std::map<std::string, std::weak_ptr<const EnginePlace>, std::less<>> open_places_;  ///< guarded by mutex_
};

/// Returns true for what file systems and people put into a folder that counts as empty.
bool is_nothing(const fs::directory_entry& entry) {
  const std::string name = entry.path().filename().string();
  return name.starts_with('.') || name == "lost+found" || name == lock_name || name == engines_folder ||
         name == "s3";  // buckets, which may be there first
}

/// Returns what a new data folder must not hold, if anything.
Result<std::optional<fs::path>> something_else(const fs::path& folder) {
  std::error_code error;
  fs::directory_iterator entries(folder, error);
  if (error) return base::Failure{io_error(folder, "read", error)};
  for (const fs::directory_entry& entry : entries) {
    if (!is_nothing(entry)) return std::optional(entry.path());
  }
  return std::optional<fs::path>();
}

Error foreign(const fs::path& folder, const fs::path& found) {
  return {ErrorKind::unsupported, folder.string() + " holds something else (" + found.filename().string() +
                                      "). Name an empty folder, or one that was made by this program"};
}

Result<Manifest> read_or_make_manifest(const fs::path& folder) {
  std::error_code error;
  if (fs::exists(folder / Manifest::file_name, error)) return read_manifest(folder);
  DINETTE_TRY(const auto found, something_else(folder));
  if (found) return base::Failure{foreign(folder, *found)};
  DINETTE_CHECK(write_manifest(folder, {}));
  return Manifest();
}

/// Removes the folders of engines that were not kept when the last process ended. Returns the greatest number
/// of a folder.
Result<std::uint64_t> tidy(const fs::path& folder, const Manifest& manifest) {
  std::error_code error;
  fs::create_directories(folder / engines_folder, error);
  if (error) return base::Failure{io_error(folder / engines_folder, "made", error)};
  std::uint64_t last = 0;
  for (const auto& [name, engine] : manifest.engines) last = std::max(last, engine.folder);
  for (const fs::directory_entry& entry : fs::directory_iterator(folder / engines_folder, error)) {
    const std::string name = entry.path().filename().string();
    const bool kept = std::ranges::any_of(
        manifest.engines, [&](const auto& one) { return std::to_string(one.second.folder) == name; });
    if (!kept) fs::remove_all(entry.path(), error);
  }
  return last;
}

EngineSettings settings_of(const DataFolderOptions& options) {
  const std::size_t cache = options.memory_bytes / cache_part;
  return {.database = make_database_settings(cache),
          .sync = options.sync,
          .resident_bytes = options.resident ? options.memory_bytes - cache : 0};
}

Result<std::shared_ptr<Engines>> open(const fs::path& folder, const EngineSettings& settings) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return base::Failure{io_error(folder, "made", error)};
  DINETTE_TRY(OpenFile lock, lock_file(folder / lock_name));
  DINETTE_TRY(Manifest manifest, read_or_make_manifest(folder));
  DINETTE_TRY(const std::uint64_t last, tidy(folder, manifest));
  auto owner = std::make_shared<const OwnedFolder>(OwnedFolder{folder, std::move(lock)});
  return std::shared_ptr<Engines>(std::make_shared<DataFolder>(
      std::make_shared<Places>(std::move(owner), last), std::move(manifest), settings));
}

}  // namespace
}  // namespace durable

Result<std::shared_ptr<Engines>> open_data_folder(const std::filesystem::path& folder,
                                                  const DataFolderOptions& options) {
  return durable::open(folder, durable::settings_of(options));
}

}  // namespace dinette::kv
