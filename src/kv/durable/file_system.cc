#include "kv/durable/file_system.h"

#include <filesystem>
#include <string>
#include <utility>

#include "kv/durable/files.h"

namespace dinette::kv::durable {
namespace {

namespace fs = std::filesystem;

using rocksdb::DataVerificationInfo;
using rocksdb::FSWritableFile;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;

IOStatus plain(const IOStatus& status) {
  return status.IsNoSpace() ? IOStatus::IOError("the disk is full", status.ToString()) : status;
}

class PlainFile final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  using FSWritableFileOwnerWrapper::FSWritableFileOwnerWrapper;

  IOStatus Append(const Slice& data, const IOOptions& options, IODebugContext* debug) override {
    return plain(FSWritableFileOwnerWrapper::Append(data, options, debug));
  }
  IOStatus Append(const Slice& data, const IOOptions& options, const DataVerificationInfo& verification,
                  IODebugContext* debug) override {
    return plain(FSWritableFileOwnerWrapper::Append(data, options, verification, debug));
  }
  IOStatus Flush(const IOOptions& options, IODebugContext* debug) override {
    return plain(FSWritableFileOwnerWrapper::Flush(options, debug));
  }
  IOStatus Sync(const IOOptions& options, IODebugContext* debug) override {
    return plain(FSWritableFileOwnerWrapper::Sync(options, debug));
  }
  IOStatus Fsync(const IOOptions& options, IODebugContext* debug) override {
    return plain(FSWritableFileOwnerWrapper::Fsync(options, debug));
  }
  IOStatus Close(const IOOptions& options, IODebugContext* debug) override {
    return plain(FSWritableFileOwnerWrapper::Close(options, debug));
  }
  IOStatus RangeSync(std::uint64_t offset, std::uint64_t bytes, const IOOptions& options,
                     IODebugContext* debug) override {
    return plain(FSWritableFileOwnerWrapper::RangeSync(offset, bytes, options, debug));
  }
};

IOStatus io_status(const Result<void>& result) {
  return result ? IOStatus::OK() : IOStatus::IOError(result.error().message);
}

bool is_log(const fs::path& path) {
  return path.extension() == ".log";
}
bool is_manifest(const fs::path& path) {
  return path.filename().string().starts_with("MANIFEST-");
}

/// A MANIFEST, of which the inventory learns what the disk has.
class ManifestFile final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  ManifestFile(std::unique_ptr<FSWritableFile> file, std::string name, Inventory& inventory)
      : FSWritableFileOwnerWrapper(std::move(file)), name_(std::move(name)), inventory_(inventory) {}

  IOStatus Append(const Slice& data, const IOOptions& options, IODebugContext* debug) override {
    size_ += data.size();
    return FSWritableFileOwnerWrapper::Append(data, options, debug);
  }
  IOStatus Append(const Slice& data, const IOOptions& options, const DataVerificationInfo& verification,
                  IODebugContext* debug) override {
    size_ += data.size();
    return FSWritableFileOwnerWrapper::Append(data, options, verification, debug);
  }
  IOStatus Sync(const IOOptions& options, IODebugContext* debug) override {
    return noted(FSWritableFileOwnerWrapper::Sync(options, debug));
  }
  IOStatus Fsync(const IOOptions& options, IODebugContext* debug) override {
    return noted(FSWritableFileOwnerWrapper::Fsync(options, debug));
  }

 private:
  IOStatus noted(const IOStatus& synced) {
    return synced.ok() ? io_status(inventory_.set(name_, size_)) : synced;
  }

  const std::string name_;
  Inventory& inventory_;
  std::uint64_t size_ = 0;
};

/// A folder that is open only while it is synced. RocksDB keeps two open per database.
class ClosedFolder final : public rocksdb::FSDirectory {
 public:
  ClosedFolder(rocksdb::FileSystem& files, std::string path) : files_(files), path_(std::move(path)) {}

  IOStatus Fsync(const IOOptions& options, IODebugContext* debug) override {
    return FsyncWithDirOptions(options, debug, {});
  }
  IOStatus FsyncWithDirOptions(const IOOptions& options, IODebugContext* debug,
                               const rocksdb::DirFsyncOptions& how) override {
    std::unique_ptr<FSDirectory> folder;
    const IOStatus opened = files_.NewDirectory(path_, options, &folder, debug);
    return opened.ok() ? folder->FsyncWithDirOptions(options, debug, how) : opened;
  }
  IOStatus Close(const IOOptions&, IODebugContext*) override { return IOStatus::OK(); }

 private:
  rocksdb::FileSystem& files_;
  const std::string path_;
};

class PlainFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  PlainFileSystem(std::shared_ptr<FileSystem> files, Inventory* inventory)
      : FileSystemWrapper(std::move(files)), inventory_(inventory) {}

  const char* Name() const override { return "PlainFileSystem"; }

  IOStatus NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                           std::unique_ptr<FSWritableFile>* result, IODebugContext* debug) override {
    const IOStatus made = plain(FileSystemWrapper::NewWritableFile(path, options, result, debug));
    if (!made.ok()) return made;
    *result = std::make_unique<PlainFile>(std::move(*result));
    return inventory_ == nullptr ? made : noted(path, *result);
  }

  IOStatus NewDirectory(const std::string& path, const IOOptions& options,
                        std::unique_ptr<rocksdb::FSDirectory>* result, IODebugContext* debug) override {
    const IOStatus opened = FileSystemWrapper::NewDirectory(path, options, result, debug);
    if (opened.ok()) *result = std::make_unique<ClosedFolder>(*target(), path);
    return opened;
  }

  // The data folder is locked as a whole.
  IOStatus LockFile(const std::string&, const IOOptions&, rocksdb::FileLock** lock,
                    IODebugContext*) override {
    *lock = new rocksdb::FileLock();
    return IOStatus::OK();
  }
  IOStatus UnlockFile(rocksdb::FileLock* lock, const IOOptions&, IODebugContext*) override {
    delete lock;
    return IOStatus::OK();
  }

  IOStatus DeleteFile(const std::string& path, const IOOptions& options, IODebugContext* debug) override {
    if (inventory_ != nullptr && (is_log(path) || is_manifest(path))) {
      const IOStatus removed = io_status(inventory_->remove(fs::path(path).filename()));
      if (!removed.ok()) return removed;
    }
    return FileSystemWrapper::DeleteFile(path, options, debug);
  }

 private:
  IOStatus noted(const fs::path& path, std::unique_ptr<FSWritableFile>& file) {
    if (is_manifest(path))
      file = std::make_unique<ManifestFile>(std::move(file), path.filename().string(), *inventory_);
    if (!is_log(path)) return IOStatus::OK();
    // The inventory names no log that the disk may not have.
    if (const auto synced = sync_folder(path.parent_path()); !synced) return io_status(synced);
    return io_status(inventory_->set(path.filename().string(), 0));
  }

  Inventory* const inventory_;
};

}  // namespace

std::shared_ptr<rocksdb::FileSystem> make_file_system(std::shared_ptr<rocksdb::FileSystem> files,
                                                      Inventory* inventory) {
  return std::make_shared<PlainFileSystem>(std::move(files), inventory);
}

}  // namespace dinette::kv::durable
