#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dinette/base/clock.h"
#include "dinette/base/result.h"

/// Named bytes in buckets, as S3 keeps them.
namespace dinette::objects {

enum class ErrorKind {
  no_such_bucket,
  no_such_object,
  bucket_exists,
  bucket_not_empty,
  invalid_bucket,  ///< a name that no bucket may have
  invalid_key,     ///< empty, longer than longest_key, or not UTF-8
  access_denied,
  stopped,  ///< the process is ending
  failed,   ///< the disk or the network failed; the message says how
};

struct Error {
  ErrorKind kind{};
  std::string message;  ///< a message for the log; without the names of bucket and key
};

template <class T>
using Result = base::Result<T, Error>;

inline constexpr std::size_t longest_key = 1024;  ///< in bytes

struct BucketInfo {
  std::string name;
  base::TimePoint created;
};

/// What is known of an object without reading it.
struct ObjectInfo {
  std::string key;
  std::uint64_t size = 0;  ///< in bytes
  std::string etag;        ///< without quotation marks
  base::TimePoint modified;
  /// The headers that readers get with it, such as Content-Type and x-amz-meta-...: names in lower case.
  /// Empty in listings.
  std::vector<std::pair<std::string, std::string>> headers = {};
};

/// Reads one object from its beginning, as it was when it was opened, even if it changes meanwhile. For one
/// thread.
class ObjectReader {
 public:
  ObjectReader() = default;
  ObjectReader(const ObjectReader&) = delete;
  ObjectReader& operator=(const ObjectReader&) = delete;
  virtual ~ObjectReader() = default;

  virtual const ObjectInfo& info() const = 0;
  /// Returns where read() continues, in bytes from the beginning.
  virtual std::uint64_t position() const = 0;
  /// Continues reading at `position`, at most the object's size.
  virtual Result<void> seek(std::uint64_t position) = 0;
  /// Returns the number of bytes that were read into `room`, which is not empty; 0 at the end.
  virtual Result<std::size_t> read(std::span<char> room) = 0;
};

/// Writes one object. It is not visible before finish() has succeeded; without finish() nothing of it is
/// kept. For one thread.
class ObjectWriter {
 public:
  ObjectWriter() = default;
  ObjectWriter(const ObjectWriter&) = delete;
  ObjectWriter& operator=(const ObjectWriter&) = delete;
  virtual ~ObjectWriter() = default;

  virtual Result<void> write(std::string_view bytes) = 0;
  /// Makes the object visible. `etag`: used instead of the MD5 of the bytes in hexadecimal digits. Must be
  /// called only once.
  virtual Result<ObjectInfo> finish(std::optional<std::string> etag = {}) = 0;
};

struct ListRequest {
  std::string prefix = {};    ///< of keys
  std::string after = {};     ///< only keys that are greater, by their bytes
  std::size_t limit = 1'000;  ///< of objects and common prefixes together; at least 1
  /// If not empty, keys that have it after the prefix are represented by their beginning up to there.
  std::string delimiter = {};
};

struct Listing {
  std::vector<ObjectInfo> objects;         ///< ascending by the bytes of their keys
  bool more = false;                       ///< there are others after the last of these
  std::vector<std::string> prefixes = {};  ///< the common ones, ascending
};

/// Returns the common prefix that represents `key` in a listing, if there is one.
std::optional<std::string> common_prefix(const ListRequest& request, std::string_view key);

/// Returns a text that is greater than every key that begins with `prefix`, but not than other keys that are
/// greater than those.
std::string after_all_of(std::string prefix);

/// Returns the last key or common prefix of a listing; empty if there is none.
std::string last_of(const Listing& listing);

/// Returns ListRequest::after for the page that follows: the keys of a common prefix are not listed again.
std::string continuation_of(const Listing& listing);

/// A store of objects. Thread-safe. May block: must not be called on event loops.
class ObjectStore {
 public:
  ObjectStore() = default;
  ObjectStore(const ObjectStore&) = delete;
  ObjectStore& operator=(const ObjectStore&) = delete;
  virtual ~ObjectStore() = default;

  /// Begins an object, which finish() adds, or which replaces the one with that key.
  virtual Result<std::unique_ptr<ObjectWriter>> write(
      const std::string& bucket, const std::string& key,
      std::vector<std::pair<std::string, std::string>> headers = {}) = 0;
  virtual Result<std::unique_ptr<ObjectReader>> open(const std::string& bucket, const std::string& key) = 0;
  /// The cost depends on what is listed, not on the number of objects in the bucket; in a folder, on the
  /// files in the folders of what is listed.
  virtual Result<Listing> list(const std::string& bucket, const ListRequest& request) = 0;
};

/// An object store whose buckets are in this process.
class BucketStore : public ObjectStore {
 public:
  virtual Result<void> create_bucket(const std::string& name) = 0;
  /// Removes a bucket. Fails with ErrorKind::bucket_not_empty while there are objects in it.
  virtual Result<void> remove_bucket(const std::string& name) = 0;
  virtual Result<BucketInfo> bucket(const std::string& name) = 0;
  /// Returns all of them, ascending by name.
  virtual Result<std::vector<BucketInfo>> buckets() = 0;
  /// Removes an object. Also succeeds if there is no such object.
  virtual Result<void> remove(const std::string& bucket, const std::string& key) = 0;
  /// Returns the store for unfinished data, such as the parts of uploads. It is in the same place as the
  /// objects, is owned by this store, and is empty when the process starts.
  virtual Result<BucketStore*> scratch() = 0;
};

/// Writes an object in one call. `etag`: see ObjectWriter::finish().
Result<ObjectInfo> put(ObjectStore& store, const std::string& bucket, const std::string& key,
                       std::string_view bytes, std::optional<std::string> etag = {});

}  // namespace dinette::objects
