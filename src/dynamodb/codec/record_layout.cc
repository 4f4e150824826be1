#include "dynamodb/codec/record_layout.h"

#include <cstdint>
#include <cstring>
#include <stdexcept>

namespace dinette::dynamodb::codec {
namespace {

/// All numbers of a record, the lowest byte first: its size, the count of its attributes under the format,
/// their ends.
constexpr std::size_t number_bytes = sizeof(std::uint32_t);
constexpr std::size_t ends_begin = 2 * number_bytes;

/// The uppermost byte above the count: the low four bits are the format, the others flags, of which there are
/// none yet. A flag is to say that there is more in front of the ends, such as the time of the write.
constexpr std::size_t format = std::size_t{1} << 24;
constexpr std::size_t format_bits = std::size_t{0xFF} << 24;
constexpr std::size_t most_attributes = format - 1;

std::size_t read_number(const char* bytes) {
  std::size_t number = 0;
  for (std::size_t i = 0; i < number_bytes; ++i)
    number |= std::size_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  return number;
}

char* write_number(char* out, std::size_t number) {
  for (std::size_t i = 0; i < number_bytes; ++i) out[i] = static_cast<char>(number >> (8 * i));
  return out + number_bytes;
}

char* write(char* out, std::string_view text) {
  std::memcpy(out, text.data(), text.size());
  return out + text.size();
}

/// The bytes in front of the text.
std::size_t text_begin(std::string_view record) {
  if (record.size() < ends_begin) throw_unreadable();
  const std::size_t attributes = read_number(record.data() + number_bytes) ^ format;
  if ((attributes & format_bits) != 0) throw_unreadable();
  if (attributes > (record.size() - ends_begin) / number_bytes) throw_unreadable();
  return ends_begin + attributes * number_bytes;
}

}  // namespace

void throw_unreadable() {
  throw std::runtime_error("a stored item does not read as one");
}

std::size_t record_size(std::string_view record) {
  if (record.size() < ends_begin) throw_unreadable();
  return read_number(record.data());
}

std::string_view record_text(std::string_view record) {
  return record.substr(text_begin(record));
}

std::string_view record_ends(std::string_view record) {
  return record.substr(ends_begin, text_begin(record) - ends_begin);
}

std::size_t take_end(std::string_view& ends) {
  const std::size_t end = read_number(ends.data());
  ends.remove_prefix(number_bytes);
  return end;
}

kv::Value join_record(std::size_t size_in_bytes, std::span<const std::string_view> attributes) {
  if (attributes.size() > most_attributes) throw std::length_error("an item with so many attributes");
  // Each attribute has a brace or a comma in front; an item without any is {}.
  std::size_t text_size = attributes.empty() ? 2 : 1;
  for (const std::string_view attribute : attributes) text_size += 1 + attribute.size();
  const std::size_t front = ends_begin + attributes.size() * number_bytes;
  return kv::Value::make(front + text_size, [&](char* bytes) {
    char* number = write_number(write_number(bytes, size_in_bytes), attributes.size() | format);
    char* const text = bytes + front;
    char* out = text;
    for (const std::string_view attribute : attributes) {
      *out = out == text ? '{' : ',';
      out = write(out + 1, attribute);
      number = write_number(number, static_cast<std::size_t>(out - text));
    }
    if (attributes.empty()) *out++ = '{';
    *out = '}';
  });
}

}  // namespace dinette::dynamodb::codec
