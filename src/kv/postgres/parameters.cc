#include "kv/postgres/parameters.h"

#include "dinette/base/bytes.h"

namespace dinette::kv::postgres {
namespace {

// Numbers of types, which never change: pg_type.dat of PostgreSQL.
constexpr std::uint32_t bool_type = 16;
constexpr std::uint32_t bytea_type = 17;
constexpr std::uint32_t int8_type = 20;
constexpr std::uint32_t int4_type = 23;

constexpr std::size_t array_header = 20;  // bytes
constexpr std::size_t length_size = 4;

void append_length(std::string& out, std::size_t length) {
  base::append_big_endian(out, static_cast<std::uint32_t>(length));
}

}  // namespace

Parameters& Parameters::number(std::int64_t number) {
  base::append_big_endian(encoded_.emplace_back(), static_cast<std::uint64_t>(number));
  return *this;
}

Parameters& Parameters::small_number(std::int32_t number) {
  base::append_big_endian(encoded_.emplace_back(), static_cast<std::uint32_t>(number));
  return *this;
}

Parameters& Parameters::bytes(std::string_view bytes) {
  encoded_.emplace_back(bytes);
  return *this;
}

Parameters& Parameters::text(std::string_view text) {
  return bytes(text);
}

std::string& Parameters::add_array(std::uint32_t element_type, std::size_t count, std::size_t bytes) {
  std::string& out = encoded_.emplace_back();
  out.reserve(array_header + count * length_size + bytes);
  base::append_big_endian(out, std::uint32_t{count == 0 ? 0u : 1u});  // dimensions
  base::append_big_endian(out, std::uint32_t{0});                     // has no null
  base::append_big_endian(out, element_type);
  if (count == 0) return out;
  append_length(out, count);
  base::append_big_endian(out, std::uint32_t{1});  // the index of the first one
  return out;
}

Parameters& Parameters::numbers(std::span<const std::int64_t> numbers) {
  std::string& out = add_array(int8_type, numbers.size(), numbers.size_bytes());
  for (const std::int64_t number : numbers) {
    append_length(out, sizeof number);
    base::append_big_endian(out, static_cast<std::uint64_t>(number));
  }
  return *this;
}

Parameters& Parameters::small_numbers(std::span<const std::int32_t> numbers) {
  std::string& out = add_array(int4_type, numbers.size(), numbers.size_bytes());
  for (const std::int32_t number : numbers) {
    append_length(out, sizeof number);
    base::append_big_endian(out, static_cast<std::uint32_t>(number));
  }
  return *this;
}

Parameters& Parameters::flags(const std::vector<bool>& flags) {
  std::string& out = add_array(bool_type, flags.size(), flags.size());
  for (const bool flag : flags) {
    append_length(out, 1);
    out += flag ? '\1' : '\0';
  }
  return *this;
}

Parameters& Parameters::byte_strings(std::span<const std::string_view> strings) {
  std::size_t bytes = 0;
  for (const std::string_view string : strings) bytes += string.size();
  std::string& out = add_array(bytea_type, strings.size(), bytes);
  for (const std::string_view string : strings) {
    append_length(out, string.size());
    out.append(string);
  }
  return *this;
}

}  // namespace dinette::kv::postgres
