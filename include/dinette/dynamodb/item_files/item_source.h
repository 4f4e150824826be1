#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "dinette/base/result.h"
#include "dinette/objects/object_store.h"

namespace dinette::dynamodb::item_files {

/// How a data file is compressed.
enum class Packing { none, gzip, zstd };

/// What becomes of the changes in a data file of an incremental export, each of which has the keys of an item
/// and, unless it is gone, its new image (docs/service/export-import.md section 1, "Objects written").
enum class Changes {
  refused,  ///< a file that has one has no items
  applied   ///< the new image is the item; without one, the keys are those of an item to delete
};

/// Members that a bulk line may have next to its item (docs/service/export-import.md section 3).
inline constexpr std::array<std::string_view, 3> condition_members = {
    "ConditionExpression", "ExpressionAttributeNames", "ExpressionAttributeValues"};

/// The reason why an item of a data file cannot be read.
struct ReadError {
  explicit(false) ReadError(std::string text, bool ends = true) : message(std::move(text)), ends_file(ends) {}
  /// The bytes of the file cannot be read.
  explicit(false) ReadError(const objects::Error& error)
      : message("cannot be read: " + error.message), stopped(error.kind == objects::ErrorKind::stopped) {}

  std::string message;    ///< a sentence that follows the file's name and line
  bool ends_file = true;  ///< nothing after it can be read; otherwise next() continues after it
  bool stopped = false;   ///< nothing is wrong with the file: the process is ending
};

template <class T>
using ReadResult = base::Result<T, ReadError>;

/// Reads the items of a data file of any format, one after the other. For the errors that end a file, and
/// those that only lose an item, see docs/service/export-import.md section 2, "Reading the objects". Memory:
/// the longest item. For one thread.
class ItemSource {
 public:
  /// The longest text of an item, in bytes: that of the longest request.
  static constexpr std::size_t longest_object = 16 << 20;

  ItemSource() = default;
  ItemSource(const ItemSource&) = delete;
  ItemSource& operator=(const ItemSource&) = delete;
  virtual ~ItemSource() = default;

  /// Returns the attributes of the next item as DynamoDB JSON on one line; valid until the next call. Returns
  /// nothing at the end of the file. Their values are not checked.
  virtual ReadResult<std::optional<std::string_view>> next() = 0;

  /// Returns the members that a line of a bulk operation may have next to its item (condition_members), as
  /// read with the last item: one JSON object. Empty if there are none. Valid until the next call of
  /// next().
  virtual std::string_view condition() const { return {}; }

  /// Returns true if the last item is the key of one to delete.
  virtual bool deletes() const { return false; }

  /// Returns the line on which the last item begins, or of the last failure; from 1.
  virtual std::uint64_t line() const = 0;

  /// Returns the same in words, for messages: "line 3".
  virtual std::string place() const { return "line " + std::to_string(line()); }

  /// Returns the number of bytes of the file read so far, decompressed.
  virtual std::uint64_t bytes_read() const = 0;
};

}  // namespace dinette::dynamodb::item_files
