#include "kv/durable/file_system.h"

#include <string>
#include <utility>

namespace dinette::kv::durable {
namespace {

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

class PlainFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  using FileSystemWrapper::FileSystemWrapper;

  const char* Name() const override { return "PlainFileSystem"; }

  IOStatus NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                           std::unique_ptr<FSWritableFile>* result, IODebugContext* debug) override {
    const IOStatus made = plain(FileSystemWrapper::NewWritableFile(path, options, result, debug));
    if (made.ok()) *result = std::make_unique<PlainFile>(std::move(*result));
    return made;
  }
};

}  // namespace

std::shared_ptr<rocksdb::FileSystem> without_recovery(std::shared_ptr<rocksdb::FileSystem> files) {
  return std::make_shared<PlainFileSystem>(std::move(files));
}

}  // namespace dinette::kv::durable
