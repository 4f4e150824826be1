#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/base/result.h"

namespace dinette::dynamodb::item_files {

/// A value, or an error message for the user that says what is wrong and where.
template <class T>
using Outcome = base::Result<T, std::string>;

/// The bytes of one object, from its beginning.
class ObjectStream {
 public:
  ObjectStream() = default;
  ObjectStream(const ObjectStream&) = delete;
  ObjectStream& operator=(const ObjectStream&) = delete;
  virtual ~ObjectStream() = default;

  /// Returns the number of bytes that were read into `room`, which is not empty; 0 at the end.
  virtual Outcome<std::size_t> read(std::span<char> room) = 0;

  /// Returns true if reading is to end early. Asked between blocks of what is read, unpacked.
  virtual bool stopped() { return false; }
};

/// Named bytes, as in a bucket of S3. Keys have components, which slashes separate.
class Objects {
 public:
  Objects() = default;
  Objects(const Objects&) = delete;
  Objects& operator=(const Objects&) = delete;
  virtual ~Objects() = default;

  /// Adds an object, or replaces it.
  virtual Outcome<void> put(std::string_view key, std::string_view bytes) = 0;
  /// The same, with the entity tag that S3 shows for the object, if there is one.
  virtual Outcome<void> put_with_etag(std::string_view key, std::string_view bytes,
                                      [[maybe_unused]] std::string_view etag) {
    return put(key, bytes);
  }
  virtual Outcome<std::unique_ptr<ObjectStream>> open(std::string_view key) const = 0;
  virtual bool has(std::string_view key) const = 0;
  /// Returns the name of the object for error messages.
  virtual std::string name_of(std::string_view key) const = 0;
};

/// Returns the whole object. Fails if it has more bytes than `limit`.
Outcome<std::string> read_object(const Objects& objects, std::string_view key, std::size_t limit);

/// The files below a folder, which need not exist before the first is put.
class FolderObjects final : public Objects {
 public:
  explicit FolderObjects(std::filesystem::path folder) : folder_(std::move(folder)) {}

  Outcome<void> put(std::string_view key, std::string_view bytes) override;
  Outcome<std::unique_ptr<ObjectStream>> open(std::string_view key) const override;
  bool has(std::string_view key) const override;
  std::string name_of(std::string_view key) const override;

  /// Returns the names of the files and folders in the folder, ascending, folders with a slash at the end.
  /// Empty if there is no folder.
  std::vector<std::string> names() const;

 private:
  std::filesystem::path folder_;
};

}  // namespace dinette::dynamodb::item_files
