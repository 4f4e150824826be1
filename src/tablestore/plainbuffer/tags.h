#pragma once

#include <cstddef>
#include <cstdint>

/// PlainBuffer, the encoding of rows in requests and replies (tablestore/plainbuffer.md). All
/// numbers are little-endian.
namespace dinette::tablestore::plainbuffer {

/// The first four bytes of rows.
inline constexpr std::uint32_t header = 0x75;

enum class Tag : std::uint8_t {
  key = 0x01,
  attributes = 0x02,
  cell = 0x03,
  name = 0x04,
  value = 0x05,
  operation = 0x06,
  version = 0x07,
  delete_marker = 0x08,
  row_checksum = 0x09,
  cell_checksum = 0x0a,
  // Of records of streams:
  extension = 0x0b,
  sequence = 0x0c,
  epoch = 0x0d,
  time = 0x0e,
  row_index = 0x0f,
};

}  // namespace dinette::tablestore::plainbuffer
