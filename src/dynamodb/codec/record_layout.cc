#include "dynamodb/codec/record_layout.h"

#include <cstdint>
#include <cstring>
#include <stdexcept>

namespace dinette::dynamodb::codec {
namespace {

/// The numbers: the item's size, the count of its attributes and the format, the ends of the attributes.
constexpr std::size_t ends_begin = 2 * number_bytes;

/// The highest byte of the count: the low four bits are the format, the others are flags, none of which is
/// used yet. A flag announces a field before the ends, such as the time of the write.
constexpr std::size_t format = std::size_t{1} << 24;
constexpr std::size_t format_bits = std::size_t{0xFF} << 24;
constexpr std::size_t most_attributes = format - 1;

char* write_number(char* out, std::size_t number) {
  for (std::size_t i = 0; i < number_bytes; ++i) out[i] = static_cast<char>(number >> (8 * i));
  return out + number_bytes;
}

char* write(char* out, std::string_view text) {
  std::memcpy(out, text.data(), text.size());
  return out + text.size();
}

/// Returns how many bytes precede the text; 0 if this is not a record.
std::size_t text_begin(std::string_view record) {
  if (record.size() < ends_begin) return 0;
  const std::size_t attributes = read_number(record.data() + number_bytes) ^ format;
  if ((attributes & format_bits) != 0) return 0;
  if (attributes > (record.size() - ends_begin) / number_bytes) return 0;
  const std::size_t begin = ends_begin + attributes * number_bytes;
  const std::size_t last_end = attributes == 0 ? 1 : read_number(record.data() + begin - number_bytes);
  return begin + last_end + 1 == record.size() ? begin : 0;  // only a brace follows the last attribute
}

}  // namespace

bool is_record(std::string_view bytes) {
  return text_begin(bytes) != 0;
}

kv::Error corrupt_record() {
  return {kv::ErrorKind::corrupt, "corrupt item record"};
}

std::size_t record_size(std::string_view record) {
  return record.size() < ends_begin ? 0 : read_number(record.data());
}

std::string_view record_text(std::string_view record) {
  const std::size_t begin = text_begin(record);
  return begin == 0 ? std::string_view() : record.substr(begin);
}

RecordParts parts_of(std::string_view record) {
  const std::size_t begin = text_begin(record);
  if (begin == 0) return {};
  return {.is_record = true,
          .size = read_number(record.data()),
          .ends = {record.data() + ends_begin, begin - ends_begin},
          .text = {record.data() + begin, record.size() - begin}};
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
