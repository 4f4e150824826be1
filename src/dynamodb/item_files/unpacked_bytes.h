#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <string_view>
#include <variant>

#include "dinette/base/gunzip.h"
#include "dinette/base/unzstd.h"
#include "dinette/dynamodb/item_files/item_source.h"

namespace dinette::dynamodb::item_files {

/// The bytes of a file, unpacked, one after the other. `file` must outlive it.
class UnpackedBytes {
 public:
  UnpackedBytes(objects::ObjectReader& file, Packing packing, std::stop_token stop);

  /// Returns what comes next: `least` bytes or more, up to 64 KiB; fewer only at the end of the file.
  ReadResult<std::string_view> rest(std::size_t least = 1);
  void skip(std::size_t count) { rest_.remove_prefix(count); }

  /// Returns how many bytes rest() has read so far.
  std::uint64_t count() const { return count_; }

 private:
  ReadResult<std::size_t> read(std::span<char> room);
  template <class Unpacker>
  ReadResult<std::size_t> unpack(Unpacker& unpacker, std::span<char> room, std::string_view format);

  objects::ObjectReader& file_;
  const std::stop_token stop_;
  std::variant<std::monostate, base::Gunzip, base::Unzstd> unpacker_;
  std::array<char, 64 << 10> packed_;
  std::array<char, 64 << 10> unpacked_;
  std::string_view rest_;
  std::uint64_t count_ = 0;
};

}  // namespace dinette::dynamodb::item_files
