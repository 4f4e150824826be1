#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "dinette/kv/error.h"
#include "dinette/kv/value.h"

/// The layout of a record, an item as stored (FORMAT.md): the item's size, where in its text each attribute
/// ends, and the text, which is the item's canonical wire text (item_text.h). A read of the whole item copies
/// that text; an attribute that the request does not ask for costs a look at its name and its end.
///
/// The functions never read outside of the bytes that they are given, whatever these are. Views that they
/// return are into `record`.
namespace dinette::dynamodb::codec {

/// The numbers of a record: lowest byte first.
inline constexpr std::size_t number_bytes = sizeof(std::uint32_t);
inline std::size_t read_number(const char* bytes) {
  std::size_t number = 0;
  for (std::size_t i = 0; i < number_bytes; ++i)
    number |= std::size_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  return number;
}

/// Returns true if `bytes` are laid out as a record: this version's format, and numbers that fit. Bytes from
/// storage are checked once, where they enter; what follows returns empty views and 0 for other bytes.
bool is_record(std::string_view bytes);

/// Returns the error for stored bytes that are not a record, or whose attributes cannot be read.
[[gnu::cold]] kv::Error corrupt_record();

/// The parts of a record. All are empty if the bytes are not a record.
struct RecordParts {
  bool is_record = false;
  std::size_t size = 0;   ///< of the item, as the service counts it
  std::string_view ends;  ///< of the attributes within the text, for take_end
  std::string_view text;
};
RecordParts parts_of(std::string_view record);

/// Returns the item's size as the service counts it.
std::size_t record_size(std::string_view record);
std::string_view record_text(std::string_view record);

/// Removes and returns the first of RecordParts::ends, which may not be empty.
inline std::size_t take_end(std::string_view& ends) {
  const std::size_t end = read_number(ends.data());
  ends.remove_prefix(number_bytes);
  return end;
}

/// Makes the record of the item that has these attributes, `"name":{"S":"value"}`, in ascending order of
/// names.
kv::Value join_record(std::size_t size_in_bytes, std::span<const std::string_view> attributes);

}  // namespace dinette::dynamodb::codec
