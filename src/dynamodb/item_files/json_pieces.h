#pragma once

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>

#include "dinette/dynamodb/item_files/item_source.h"

#include "dynamodb/item_files/unpacked_bytes.h"

namespace dinette::dynamodb::item_files {

/// Takes JSON apart while it is read, so that a file of any length needs the memory of its longest item. What
/// it takes for a value need not be JSON. Failures end the file. For one thread.
class JsonPieces {
 public:
  /// `file` must outlive it.
  JsonPieces(objects::ObjectReader& file, Packing packing, std::stop_token stop);

  /// Skips white space. Returns the byte after it, which stays; '\0' at the end of the file.
  ReadResult<char> peek();
  /// Skips white space, and `c` if it follows. Returns true if it did.
  ReadResult<bool> take(char c);
  /// Takes the name of a member and the colon after it.
  ReadResult<std::string> name();
  /// Appends the text of the next value, of at most ItemSource::longest_object bytes, to `out`.
  ReadResult<void> value(std::string& out) { return take_value(&out, 0); }
  ReadResult<void> skip_value() { return take_value(nullptr, 0); }
  /// Skips the rest of `depth` objects and arrays that have begun.
  ReadResult<void> skip_open(std::size_t depth) { return take_value(nullptr, depth); }

  /// Returns the line of the next byte, from 1.
  std::uint64_t line() const { return line_; }
  /// Returns the number of bytes read so far, unpacked.
  std::uint64_t bytes_read() const { return bytes_.count(); }

 private:
  ReadResult<void> skip_byte_order_mark();
  ReadResult<void> check_begin();
  ReadResult<void> take_value(std::string* out, std::size_t depth);

  UnpackedBytes bytes_;
  std::uint64_t line_ = 1;
  bool begun_ = false;
};

}  // namespace dinette::dynamodb::item_files
