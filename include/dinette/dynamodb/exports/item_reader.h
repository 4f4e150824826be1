#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "dinette/dynamodb/exports/objects.h"

namespace dinette::dynamodb::exports {

/// Reads the items of a data file: JSON objects `{"Item":{...}}` one after the other, usually one per line
/// (docs/service/export-import.md section 2, "Reading the objects"). Memory: the longest of them. For one
/// thread.
class ItemReader {
 public:
  /// The longest text of an object, in bytes: that of the longest request.
  static constexpr std::size_t longest_object = 16 << 20;

  /// `file` must outlive the reader.
  ItemReader(ObjectStream& file, bool gzip);
  ~ItemReader();

  /// Returns the attributes of the next item, as the file has them but on one line; valid until the next
  /// call. Returns nothing at the end of the file. A failure is a sentence that follows the file's name and
  /// line(); after it the reader is unusable.
  Outcome<std::optional<std::string_view>> next();

  /// Returns the line on which the last object begins, or the last failure is; from 1.
  std::uint64_t line() const { return object_line_; }

 private:
  class Bytes;
  struct Parser;

  Outcome<bool> skip_white();
  Outcome<bool> take_object();

  const std::unique_ptr<Bytes> bytes_;
  const std::unique_ptr<Parser> parser_;
  std::uint64_t line_ = 1;  ///< of the next byte
  std::uint64_t object_line_ = 1;
  std::string object_;
};

}  // namespace dinette::dynamodb::exports
