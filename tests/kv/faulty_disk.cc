#include "kv/faulty_disk.h"

#include <filesystem>
#include <utility>

namespace dinette::test {

class FaultyDisk::File final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  File(FaultyDisk& disk, std::string path, std::unique_ptr<rocksdb::FSWritableFile> file)
      : FSWritableFileOwnerWrapper(std::move(file)), disk_(disk), path_(std::move(path)) {}

  rocksdb::IOStatus Append(const rocksdb::Slice& data, const rocksdb::IOOptions& options,
                           rocksdb::IODebugContext* debug) override {
    const rocksdb::IOStatus counted = disk_.count_write();
    if (!counted.ok()) return counted;
    size_ += data.size();
    return FSWritableFileOwnerWrapper::Append(data, options, debug);
  }
  rocksdb::IOStatus Append(const rocksdb::Slice& data, const rocksdb::IOOptions& options,
                           const rocksdb::DataVerificationInfo&, rocksdb::IODebugContext* debug) override {
    return Append(data, options, debug);
  }
  rocksdb::IOStatus Sync(const rocksdb::IOOptions& options, rocksdb::IODebugContext* debug) override {
    if (path_.ends_with(".log") && disk_.when_logs_sync_) disk_.when_logs_sync_();
    disk_.synced(path_, size_);
    return FSWritableFileOwnerWrapper::Flush(options, debug);  // what the disk has is what was recorded
  }
  rocksdb::IOStatus Fsync(const rocksdb::IOOptions& options, rocksdb::IODebugContext* debug) override {
    return Sync(options, debug);
  }

 private:
  FaultyDisk& disk_;
  const std::string path_;
  std::uint64_t size_ = 0;
};

void FaultyDisk::fail_writes_from(std::uint64_t nth) {
  const std::lock_guard guard(mutex_);
  writes_left_ = nth;
  failed_ = false;
}

bool FaultyDisk::has_failed() const {
  const std::lock_guard guard(mutex_);
  return failed_;
}

void FaultyDisk::lose_power() {
  const std::lock_guard guard(mutex_);
  for (const auto& [path, size] : synced_) {
    std::error_code ignored;  // files that are gone
    std::filesystem::resize_file(path, size, ignored);
  }
  synced_.clear();
}

rocksdb::IOStatus FaultyDisk::NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                              std::unique_ptr<rocksdb::FSWritableFile>* result,
                                              rocksdb::IODebugContext* debug) {
  const rocksdb::IOStatus made = FileSystemWrapper::NewWritableFile(path, options, result, debug);
  if (!made.ok()) return made;
  synced(path, 0);
  *result = std::make_unique<File>(*this, path, std::move(*result));
  return made;
}

rocksdb::IOStatus FaultyDisk::RenameFile(const std::string& from, const std::string& to,
                                         const rocksdb::IOOptions& options, rocksdb::IODebugContext* debug) {
  const rocksdb::IOStatus renamed = FileSystemWrapper::RenameFile(from, to, options, debug);
  const std::lock_guard guard(mutex_);
  if (const auto found = synced_.extract(from); renamed.ok() && !found.empty()) synced_[to] = found.mapped();
  return renamed;
}

rocksdb::IOStatus FaultyDisk::count_write() {
  const std::lock_guard guard(mutex_);
  if (writes_left_ == 0) return rocksdb::IOStatus::OK();
  if (writes_left_ > 1) {
    --writes_left_;
    return rocksdb::IOStatus::OK();
  }
  failed_ = true;
  return rocksdb::IOStatus::NoSpace("no room in a test");
}

void FaultyDisk::synced(const std::string& path, std::uint64_t size) {
  const std::lock_guard guard(mutex_);
  synced_[path] = size;
}

}  // namespace dinette::test
