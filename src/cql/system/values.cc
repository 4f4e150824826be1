#include "cql/system/values.h"

#include <bit>
#include <charconv>
#include <chrono>

#include "dinette/base/bytes.h"

namespace dinette::cql::system {
namespace {

constexpr std::size_t group_of_ipv6 = 2;
constexpr int hexadecimal = 16;

void append_part(std::string& out, std::string_view bytes) {
  base::append_big_endian(out, static_cast<std::uint32_t>(bytes.size()));
  out += bytes;
}

std::string in_hex(unsigned number) {
  char digits[8];
  const auto end = std::to_chars(std::begin(digits), std::end(digits), number, hexadecimal).ptr;
  return std::string(std::begin(digits), end);
}

}  // namespace

std::string int_value(std::int32_t number) {
  std::string bytes;
  base::append_big_endian(bytes, static_cast<std::uint32_t>(number));
  return bytes;
}

std::string bigint_value(std::int64_t number) {
  std::string bytes;
  base::append_big_endian(bytes, static_cast<std::uint64_t>(number));
  return bytes;
}

std::string double_value(double number) {
  std::string bytes;
  base::append_big_endian(bytes, std::bit_cast<std::uint64_t>(number));
  return bytes;
}

std::string boolean_value(bool truth) {
  return std::string(1, truth ? '\1' : '\0');
}

std::string timestamp_value(base::TimePoint moment) {
  return bigint_value(std::chrono::floor<std::chrono::milliseconds>(moment).time_since_epoch().count());
}

std::string list_value(std::span<const std::string> elements) {
  std::string bytes = int_value(static_cast<std::int32_t>(elements.size()));
  for (const std::string& element : elements) append_part(bytes, element);
  return bytes;
}

std::string map_value(std::span<const std::pair<std::string, std::string>> entries) {
  std::string bytes = int_value(static_cast<std::int32_t>(entries.size()));
  for (const auto& [key, value] : entries) {
    append_part(bytes, key);
    append_part(bytes, value);
  }
  return bytes;
}

std::string uuid_value(base::Md5Digest digest) {
  constexpr std::size_t version_byte = 6;
  constexpr std::size_t variant_byte = 8;
  digest[version_byte] = static_cast<unsigned char>((digest[version_byte] & 0x0F) | 0x30);
  digest[variant_byte] = static_cast<unsigned char>((digest[variant_byte] & 0x3F) | 0x80);
  return std::string(digest.begin(), digest.end());
}

std::string address_text(std::string_view address) {
  const bool is_ipv4 = address.size() == sizeof(std::uint32_t);
  const std::size_t group = is_ipv4 ? 1 : group_of_ipv6;
  std::string text;
  for (std::size_t at = 0; at + group <= address.size(); at += group) {
    if (at > 0) text += is_ipv4 ? '.' : ':';
    const auto byte = static_cast<unsigned char>(address[at]);
    text +=
        is_ipv4 ? std::to_string(byte) : in_hex(base::load_big_endian<std::uint16_t>(address.data() + at));
  }
  return text;
}

}  // namespace dinette::cql::system
