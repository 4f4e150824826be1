#include "tablestore/codec/field_writer.h"

#include <array>
#include <bit>

namespace dinette::tablestore::codec {
namespace {

constexpr std::uint32_t varint_type = 0;
constexpr std::uint32_t fixed64_type = 1;
constexpr std::uint32_t fixed32_type = 5;
constexpr std::uint32_t bytes_type = 2;

using Varint = std::array<char, 10>;

/// Returns how many bytes of `bytes` the number takes.
std::size_t write_varint(std::uint64_t number, Varint& bytes) {
  std::size_t size = 0;
  for (; number >= 0x80; number >>= 7) bytes[size++] = static_cast<char>(number | 0x80);
  bytes[size++] = static_cast<char>(number);
  return size;
}

}  // namespace

void FieldWriter::put_varint(std::uint64_t number) {
  Varint bytes;
  out_.append(bytes.data(), write_varint(number, bytes));
}

void FieldWriter::put_number(std::uint32_t field, std::uint64_t number) {
  put_varint(field << 3 | varint_type);
  put_varint(number);
}

void FieldWriter::put_zigzag(std::uint32_t field, std::int64_t value) {
  put_number(field, (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63));
}

void FieldWriter::put_double(std::uint32_t field, double number) {
  put_varint(field << 3 | fixed64_type);
  auto bits = std::bit_cast<std::uint64_t>(number);
  for (std::size_t i = 0; i < sizeof bits; ++i, bits >>= 8) out_ += static_cast<char>(bits);
}

void FieldWriter::put_float(std::uint32_t field, float number) {
  put_varint(field << 3 | fixed32_type);
  auto bits = std::bit_cast<std::uint32_t>(number);
  for (std::size_t i = 0; i < sizeof bits; ++i, bits >>= 8) out_ += static_cast<char>(bits);
}

void FieldWriter::put_bytes(std::uint32_t field, std::string_view bytes) {
  put_varint(field << 3 | bytes_type);
  put_varint(bytes.size());
  out_ += bytes;
}

std::size_t FieldWriter::begin_message(std::uint32_t field) {
  put_varint(field << 3 | bytes_type);
  return out_.size();
}

/// Most messages are short, so that little moves.
void FieldWriter::end_message(std::size_t begin) {
  Varint bytes;
  const std::size_t size = write_varint(out_.size() - begin, bytes);
  out_.insert(begin, bytes.data(), size);
}

}  // namespace dinette::tablestore::codec
