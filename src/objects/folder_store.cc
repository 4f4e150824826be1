#include "dinette/objects/folder_store.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dinette/base/ascii.h"
#include "dinette/base/file_advice.h"
#include "dinette/base/md5.h"
#include "dinette/objects/names.h"

#include "objects/about.h"
#include "objects/descriptor.h"
#include "objects/folder_tree.h"
#include "objects/key_path.h"
#include "objects/key_walk.h"

namespace dinette::objects {
namespace {

using base::Failure;
using std::string;

constexpr const char* own_folder = ".dinette";
constexpr const char* about_folder = "about";          ///< in own_folder: a folder per bucket, a file per key
constexpr const char* temporary_folder = "temporary";  ///< in own_folder: files that are being written
constexpr const char* scratch_folder = "scratch";      ///< in own_folder
constexpr const char* lock_file = "lock";              ///< in own_folder
constexpr const char* created_file = "created";        ///< of a bucket, in its folder of own_folder/about
constexpr mode_t file_mode = 0666;                     // less what the umask takes
constexpr std::size_t read_step = 256 * 1024;

using Headers = std::vector<std::pair<string, string>>;

Failure<Error> failed(ErrorKind kind, string message) {
  return Failure{Error{kind, std::move(message)}};
}

Failure<Error> no_such_object() {
  return failed(ErrorKind::no_such_object, "there is no such object");
}

timespec timespec_of(base::TimePoint moment) {
  const auto whole = std::chrono::floor<std::chrono::seconds>(moment);
  const auto rest = std::chrono::nanoseconds(moment - whole);
  return {static_cast<std::time_t>(whole.time_since_epoch().count()), static_cast<long>(rest.count())};
}

FileState state_of(const struct stat& file) {
  constexpr std::int64_t nanoseconds = 1'000'000'000;
  return {static_cast<std::uint64_t>(file.st_size), file.st_mtim.tv_sec * nanoseconds + file.st_mtim.tv_nsec};
}

Result<struct stat> stat_of(const Descriptor& file) {
  struct stat found {};
  if (fstat(file.get(), &found) != 0) return Failure{last_error("look at a file")};
  return found;
}

Result<string> md5_of(const Descriptor& file) {
  base::Md5 md5;
  string room(read_step, '\0');
  for (std::uint64_t position = 0;;) {
    DINETTE_TRY(const std::size_t size, read_at(file, position, room));
    if (size == 0) return base::hex(md5.digest());
    md5.add(std::string_view(room).substr(0, size));
    position += size;
  }
}

/// The name of the file about an object.
string about_name(const string& key) {
  return base::hex(base::md5(key));
}

class FolderStore final : public BucketStore {
 public:
  /// `root`: the folder; `own`: what is not objects in it.
  FolderStore(std::filesystem::path path, Descriptor root, Descriptor own, const base::Clock& clock,
              SyncFile sync)
      : path_(std::move(path)),
        root_(std::move(root)),
        own_(std::move(own)),
        clock_(clock),
        sync_(std::move(sync)) {}

  static Result<std::unique_ptr<FolderStore>> open(const std::filesystem::path& path,
                                                   const base::Clock& clock, SyncFile sync);

  Result<void> create_bucket(const string& name) override;
  Result<void> remove_bucket(const string& name) override;
  Result<BucketInfo> bucket(const string& name) override;
  Result<std::vector<BucketInfo>> buckets() override;
  Result<void> remove(const string& bucket, const string& key) override;
  Result<BucketStore*> scratch() override;
  Result<std::unique_ptr<ObjectWriter>> write(const string& bucket, const string& key,
                                              Headers headers) override;
  Result<std::unique_ptr<ObjectReader>> open(const string& bucket, const string& key) override;
  Result<Listing> list(const string& bucket, const ListRequest& request) override;

 private:
  class Writer;
  struct Place;

  Result<void> lock();
  Result<void> prepare();
  Result<void> sync(const Descriptor& changed) const { return sync_ ? sync_(changed.get()) : Result<void>(); }
  Result<void> sync_path(const Descriptor& bucket, std::span<const string> folders) const;
  Result<Descriptor> bucket_folder(const string& name) const;
  base::TimePoint created(const string& bucket, const Descriptor& folder) const;
  Descriptor about_of(const string& bucket) const;
  Result<Place> find(const string& bucket, const string& key) const;
  Result<Place> make_place(const string& bucket, const string& key) const;
  Result<void> put(const string& bucket, const string& temporary, const string& key, const About& about);
  Result<void> replace_about(const string& bucket, const string& key, std::string_view text);
  Result<About> learn(const string& bucket, const string& key, const Descriptor& file,
                      const FileState& state);
  Result<std::unique_ptr<ObjectReader>> reader_of(const string& bucket, const string& key,
                                                  const Descriptor& folder, const string& name,
                                                  std::shared_lock<std::shared_mutex> guard);
  Result<ObjectInfo> info_of(const string& bucket, const WalkedKey& found, FolderTree& tree);
  string next_temporary() { return std::to_string(temporaries_.fetch_add(1)); }

  const std::filesystem::path path_;
  const Descriptor root_;
  const Descriptor own_;
  Descriptor lock_;  ///< held while the store is open
  Descriptor temporary_;
  const base::Clock& clock_;
  const SyncFile sync_;
  std::atomic<std::uint64_t> temporaries_{0};
  /// Held shared to find a file, else to change what there is.
  mutable std::shared_mutex mutex_;
  std::unique_ptr<FolderStore> scratch_;  ///< guarded by mutex_; null until it is needed
};

/// Where the file of an object is, or will be.
struct FolderStore::Place {
  Descriptor bucket;
  std::vector<string> folders;
  Descriptor folder;  ///< the last of them
  string name;
};

class FolderStore::Writer final : public ObjectWriter {
 public:
  Writer(FolderStore& store, string bucket, ObjectInfo info, string temporary, Descriptor file)
      : store_(store),
        bucket_(std::move(bucket)),
        info_(std::move(info)),
        temporary_(std::move(temporary)),
        file_(std::move(file)) {}

  ~Writer() override {
    if (!finished_) unlinkat(store_.temporary_.get(), temporary_.c_str(), 0);
  }

  Result<void> write(std::string_view bytes) override {
    DINETTE_CHECK(write_all(file_, bytes));
    md5_.add(bytes);
    return {};
  }

  Result<ObjectInfo> finish(std::optional<string> etag) override {
    info_.etag = etag ? std::move(*etag) : base::hex(md5_.digest());
    info_.modified = store_.clock_.now();
    const timespec modified = timespec_of(info_.modified);
    const timespec times[2] = {modified, modified};
    if (futimens(file_.get(), times) != 0) return Failure{last_error("date a file")};
    DINETTE_TRY(const struct stat file, stat_of(file_));
    info_.size = static_cast<std::uint64_t>(file.st_size);
    DINETTE_CHECK(store_.sync(file_));
    DINETTE_CHECK(store_.put(bucket_, temporary_, info_.key, {state_of(file), info_.etag, info_.headers}));
    finished_ = true;
    return info_;
  }

 private:
  FolderStore& store_;
  const string bucket_;
  ObjectInfo info_;
  const string temporary_;
  const Descriptor file_;
  base::Md5 md5_;
  bool finished_ = false;
};

/// Must be called directly after the call that failed.
Error with_advice(Error error, const std::filesystem::path& path) {
  error.message += base::file_advice(path, errno);
  return error;
}

Result<std::unique_ptr<FolderStore>> FolderStore::open(const std::filesystem::path& path,
                                                       const base::Clock& clock, SyncFile sync) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error)
    return failed(ErrorKind::failed,
                  "cannot make the folder: " + error.message() + base::file_advice(path, error.value()));
  Descriptor root(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!root) return Failure{with_advice(last_error("open the folder"), path)};
  auto own = make_folder(root, own_folder);
  if (!own) return Failure{with_advice(own.error(), path)};
  auto store =
      std::make_unique<FolderStore>(path, std::move(root), std::move(own).value(), clock, std::move(sync));
  DINETTE_CHECK(store->lock());
  DINETTE_CHECK(store->prepare());
  DINETTE_CHECK(store->sync(store->own_));
  DINETTE_CHECK(store->sync(store->root_));
  const Descriptor parent(::open((path / "..").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  DINETTE_CHECK(store->sync(parent ? parent : store->root_));
  return store;
}

Result<void> FolderStore::lock() {
  lock_ = Descriptor(openat(own_.get(), lock_file, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, file_mode));
  if (!lock_) return Failure{with_advice(last_error("open the lock file"), path_ / own_folder / lock_file)};
  if (flock(lock_.get(), LOCK_EX | LOCK_NB) != 0)
    return failed(ErrorKind::failed, "another process uses the folder");
  return {};
}

/// Removes what a killed process left behind.
Result<void> FolderStore::prepare() {
  std::error_code ignored;
  for (const char* const left : {temporary_folder, scratch_folder})
    std::filesystem::remove_all(path_ / own_folder / left, ignored);
  DINETTE_TRY(temporary_, make_folder(own_, temporary_folder));
  DINETTE_CHECK(make_folder(own_, about_folder));
  return {};
}

/// Syncs a bucket's folder, and those in it, each in the one before, as far as they are there.
Result<void> FolderStore::sync_path(const Descriptor& bucket, std::span<const string> folders) const {
  DINETTE_CHECK(sync(bucket));
  Descriptor now = sync_ ? open_folder(bucket, ".") : Descriptor();
  for (const string& name : folders) {
    if (now) now = open_folder(now, name);
    if (!now) break;
    DINETTE_CHECK(sync(now));
  }
  return {};
}

Result<Descriptor> FolderStore::bucket_folder(const string& name) const {
  Descriptor folder = is_bucket_name(name) ? open_folder(root_, name) : Descriptor();
  if (!folder) return failed(ErrorKind::no_such_bucket, "there is no such bucket");
  return folder;
}

Descriptor FolderStore::about_of(const string& bucket) const {
  return open_folder(own_, std::array<string, 2>{about_folder, bucket});
}

base::TimePoint FolderStore::created(const string& bucket, const Descriptor& folder) const {
  const Descriptor about = about_of(bucket);
  const Descriptor created = about ? open_file(about, created_file) : Descriptor();
  const auto found = stat_of(created ? created : folder);
  return found ? time_of(found->st_mtim) : base::TimePoint();
}

Result<void> FolderStore::create_bucket(const string& name) {
  if (!is_bucket_name(name)) return failed(ErrorKind::invalid_bucket, "no bucket may have this name");
  const std::unique_lock guard(mutex_);
  if (kind_of(root_, name) != FileKind::missing)
    return failed(ErrorKind::bucket_exists, "there is such a bucket");
  std::error_code ignored;
  std::filesystem::remove_all(path_ / own_folder / about_folder / name, ignored);
  const Descriptor abouts = open_folder(own_, about_folder);
  DINETTE_TRY(const Descriptor about, make_folder(abouts, name));
  const Descriptor created(
      openat(about.get(), created_file, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, file_mode));
  const timespec now = timespec_of(clock_.now());
  const timespec times[2] = {now, now};
  if (!created || futimens(created.get(), times) != 0) return Failure{last_error("date a bucket")};
  DINETTE_CHECK(make_folder(root_, name));
  DINETTE_CHECK(sync(created));
  DINETTE_CHECK(sync(about));
  DINETTE_CHECK(sync(abouts));
  return sync(root_);
}

Result<void> FolderStore::remove_bucket(const string& name) {
  const std::unique_lock guard(mutex_);
  DINETTE_TRY(const Descriptor bucket, bucket_folder(name));
  const ListRequest everything;
  KeyWalk walk(bucket, everything, nullptr);
  std::vector<TreeFolderPointer> folders;
  DINETTE_TRY(const bool in_use, walk.has_key(walk.tree().first(), &folders));
  if (in_use) return failed(ErrorKind::bucket_not_empty, "there are objects in the bucket");
  for (; folders.size() > 1; folders.pop_back()) {
    const TreeFolder& folder = *folders.back();
    DINETTE_TRY(const Descriptor* const parent, walk.tree().open(folder.parent()));
    if (parent) unlinkat(parent->get(), folder.name().c_str(), AT_REMOVEDIR);
  }
  if (unlinkat(root_.get(), name.c_str(), AT_REMOVEDIR) != 0)
    return failed(ErrorKind::bucket_not_empty, "there are files in the bucket that are not objects");
  std::error_code ignored;
  std::filesystem::remove_all(path_ / own_folder / about_folder / name, ignored);
  return sync(root_);
}

Result<BucketInfo> FolderStore::bucket(const string& name) {
  const std::shared_lock guard(mutex_);
  DINETTE_TRY(const Descriptor folder, bucket_folder(name));
  return BucketInfo{name, created(name, folder)};
}

Result<std::vector<BucketInfo>> FolderStore::buckets() {
  const std::shared_lock guard(mutex_);
  std::vector<BucketInfo> found;
  DINETTE_TRY(const std::vector<FolderEntry> entries, entries_of(root_));
  for (const FolderEntry& entry : entries) {
    if (entry.kind != FileKind::folder || !is_bucket_name(entry.name)) continue;
    found.push_back({entry.name, created(entry.name, open_folder(root_, entry.name))});
  }
  std::ranges::sort(found, {}, &BucketInfo::name);
  return found;
}

Result<BucketStore*> FolderStore::scratch() {
  const std::unique_lock guard(mutex_);
  if (!scratch_) {
    // What is in it ends with the process.
    DINETTE_TRY(scratch_, open(path_ / own_folder / scratch_folder, clock_, {}));
  }
  return static_cast<BucketStore*>(scratch_.get());
}

/// Finds the file of an object. The caller holds mutex_.
Result<FolderStore::Place> FolderStore::find(const string& bucket, const string& key) const {
  Place place;
  DINETTE_TRY(place.bucket, bucket_folder(bucket));
  if (!check_key(key)) return no_such_object();
  place.folders = path_of(key);
  place.name = std::move(place.folders.back());
  place.folders.pop_back();
  place.folder = open_folder(place.bucket, place.folders);
  if (!place.folder) return no_such_object();
  if (kind_of(place.folder, place.name) != FileKind::file) place.name += beside_folder;
  if (kind_of(place.folder, place.name) != FileKind::file) return no_such_object();
  return place;
}

/// Makes the folders for a file. Another object's file that has the name of one gives way. The caller holds
/// mutex_ alone.
Result<FolderStore::Place> FolderStore::make_place(const string& bucket, const string& key) const {
  Place place;
  DINETTE_TRY(place.bucket, bucket_folder(bucket));
  place.folders = path_of(key);
  place.name = std::move(place.folders.back());
  place.folders.pop_back();
  place.folder = open_folder(place.bucket, ".");
  for (const string& name : place.folders) {
    const FileKind kind = kind_of(place.folder, name);
    if (kind == FileKind::other)
      return failed(ErrorKind::access_denied,
                    "the name is that of a link or a device, which is not followed");
    if (kind == FileKind::file) {
      const string aside = name + string(beside_folder);
      if (renameat(place.folder.get(), name.c_str(), place.folder.get(), aside.c_str()) != 0)
        return Failure{last_error("rename a file")};
    }
    DINETTE_TRY(place.folder, make_folder(place.folder, name));
  }
  if (kind_of(place.folder, place.name) == FileKind::folder) place.name += beside_folder;
  return place;
}

/// Puts a finished temporary file in its place.
Result<void> FolderStore::put(const string& bucket, const string& temporary, const string& key,
                              const About& about) {
  const std::unique_lock guard(mutex_);
  // Of what is there, too, lest it loses its headers if the process is killed now.
  string text = text_of(about);
  if (const auto old = find(bucket, key)) {
    const auto found = stat_of(open_file(old->folder, old->name));
    const Descriptor abouts = about_of(bucket);
    if (found && abouts && state_of(*found) != about.state) {
      if (const auto known = find_about(read_text(abouts, about_name(key)), state_of(*found)))
        text += text_of(*known);
    }
  }
  DINETTE_TRY(const Place place, make_place(bucket, key));
  DINETTE_CHECK(replace_about(bucket, key, text));
  if (renameat(temporary_.get(), temporary.c_str(), place.folder.get(), place.name.c_str()) != 0)
    return Failure{last_error("rename a file")};
  if (!place.name.ends_with(beside_folder))
    unlinkat(place.folder.get(), (place.name + string(beside_folder)).c_str(), 0);
  return sync_path(place.bucket, place.folders);
}

/// The caller holds mutex_ alone.
Result<void> FolderStore::replace_about(const string& bucket, const string& key, std::string_view text) {
  const Descriptor abouts = open_folder(own_, about_folder);
  DINETTE_TRY(const Descriptor about, make_folder(abouts, bucket));
  const string temporary = next_temporary();
  const Descriptor file(
      openat(temporary_.get(), temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, file_mode));
  if (!file) return Failure{last_error("make a file")};
  DINETTE_CHECK(write_all(file, text));
  DINETTE_CHECK(sync(file));
  if (renameat(temporary_.get(), temporary.c_str(), about.get(), about_name(key).c_str()) != 0)
    return Failure{last_error("rename a file")};
  DINETTE_CHECK(sync(about));
  return sync(abouts);
}

Result<void> FolderStore::remove(const string& bucket, const string& key) {
  const std::unique_lock guard(mutex_);
  DINETTE_TRY(const Descriptor in, bucket_folder(bucket));
  // Twice, if a file was put by hand next to that of the same key.
  for (auto place = find(bucket, key); place; place = find(bucket, key)) {
    if (unlinkat(place->folder.get(), place->name.c_str(), 0) != 0)
      return Failure{last_error("remove a file")};
    FolderTree tree(place->bucket);
    for (TreeFolderPointer folder = tree.at(place->folders); folder->parent(); folder = folder->parent()) {
      DINETTE_TRY(const Descriptor* const parent, tree.open(folder->parent()));
      if (!parent || unlinkat(parent->get(), folder->name().c_str(), AT_REMOVEDIR) != 0) break;
    }
  }
  if (const Descriptor about = about_of(bucket)) unlinkat(about.get(), about_name(key).c_str(), 0);
  if (!check_key(key)) return {};
  std::vector<string> folders = path_of(key);
  folders.pop_back();
  return sync_path(in, folders);
}

Result<std::unique_ptr<ObjectWriter>> FolderStore::write(const string& bucket, const string& key,
                                                         Headers headers) {
  DINETTE_CHECK(check_key(key));
  DINETTE_CHECK(bucket_folder(bucket));
  string temporary = next_temporary();
  Descriptor file(
      openat(temporary_.get(), temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, file_mode));
  if (!file) return Failure{last_error("make a file")};
  ObjectInfo info;
  info.key = key;
  info.headers = std::move(headers);
  return std::unique_ptr<ObjectWriter>(
      std::make_unique<Writer>(*this, bucket, std::move(info), std::move(temporary), std::move(file)));
}

/// Finds out what was not kept about a file, and keeps it.
Result<About> FolderStore::learn(const string& bucket, const string& key, const Descriptor& file,
                                 const FileState& state) {
  About about{state, "", {}};
  DINETTE_TRY(about.etag, md5_of(file));
  const std::unique_lock guard(mutex_);
  const auto place = find(bucket, key);
  const auto now =
      place ? stat_of(open_file(place->folder, place->name)) : Result<struct stat>(no_such_object());
  if (now && state_of(*now) == state) {
    // Where nothing can be written, it is found out each time.
    static_cast<void>(replace_about(bucket, key, text_of(about)).ok());
  }
  return about;
}

Result<std::unique_ptr<ObjectReader>> FolderStore::open(const string& bucket, const string& key) {
  std::shared_lock guard(mutex_);
  DINETTE_TRY(const Place place, find(bucket, key));
  return reader_of(bucket, key, place.folder, place.name, std::move(guard));
}

/// Opens the file of an object. `guard` holds mutex_.
Result<std::unique_ptr<ObjectReader>> FolderStore::reader_of(const string& bucket, const string& key,
                                                             const Descriptor& folder, const string& name,
                                                             std::shared_lock<std::shared_mutex> guard) {
  Descriptor file = open_file(folder, name);
  if (!file && is_missing()) return no_such_object();
  if (!file) return Failure{last_error("open a file")};
  DINETTE_TRY(const struct stat found, stat_of(file));
  const FileState state = state_of(found);
  const Descriptor abouts = about_of(bucket);
  auto about = abouts ? find_about(read_text(abouts, about_name(key)), state) : std::nullopt;
  guard.unlock();
  if (!about) {
    DINETTE_TRY(about, learn(bucket, key, file, state));
  }
  ObjectInfo info{key, state.size, std::move(about->etag), time_of(found.st_mtim), std::move(about->headers)};
  return make_file_reader(std::move(file), std::move(info));
}

/// Returns what is known of the object of a file that a walk has come to.
Result<ObjectInfo> FolderStore::info_of(const string& bucket, const WalkedKey& found, FolderTree& tree) {
  const auto read_there = [&]() -> Result<std::unique_ptr<ObjectReader>> {
    std::shared_lock guard(mutex_);
    DINETTE_TRY(const Descriptor* const folder, tree.open(found.folder));
    if (!folder) return no_such_object();
    return reader_of(bucket, found.key, *folder, found.name, std::move(guard));
  };
  auto reader = read_there();
  // Another object's folder may have its name now.
  if (!reader && reader.error().kind == ErrorKind::no_such_object) reader = open(bucket, found.key);
  if (!reader) return Failure{std::move(reader).error()};
  ObjectInfo info = (*reader)->info();
  info.headers.clear();
  return info;
}

Result<Listing> FolderStore::list(const string& bucket, const ListRequest& request) {
  DINETTE_TRY(const Descriptor folder, bucket_folder(bucket));
  KeyWalk walk(folder, request, &mutex_);
  Listing listing;
  for (;;) {
    DINETTE_TRY(auto found, walk.next());
    if (!found) return listing;
    auto object =
        found->is_prefix() ? Result<ObjectInfo>(ObjectInfo()) : info_of(bucket, *found, walk.tree());
    if (!object && object.error().kind == ErrorKind::no_such_object) continue;
    if (!object) return Failure{std::move(object).error()};
    listing.more = listing.objects.size() + listing.prefixes.size() == request.limit;
    if (listing.more) return listing;
    if (found->is_prefix())
      listing.prefixes.push_back(std::move(found->key));
    else
      listing.objects.push_back(std::move(object).value());
  }
}

}  // namespace

Result<void> sync_to_disk(int descriptor) {
  if (fsync(descriptor) != 0) return Failure{last_error("wait for the disk")};
  return {};
}

Result<std::unique_ptr<BucketStore>> open_folder_store(const std::filesystem::path& folder,
                                                       const base::Clock& clock, SyncFile sync) {
  DINETTE_TRY(auto store, FolderStore::open(folder, clock, std::move(sync)));
  return std::unique_ptr<BucketStore>(std::move(store));
}

}  // namespace dinette::objects
