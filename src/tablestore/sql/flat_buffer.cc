#include "tablestore/sql/flat_buffer.h"

#include <array>

namespace dinette::tablestore::sql {
namespace {

std::size_t size_of(FlatBuffer::Slot slot) {
  switch (slot) {
    case FlatBuffer::Slot::absent:
      return 0;
    case FlatBuffer::Slot::byte:
      return 1;
    case FlatBuffer::Slot::reference:
      return sizeof(std::uint32_t);
    case FlatBuffer::Slot::number:
      return sizeof(std::uint64_t);
  }
  return 0;
}

}  // namespace

/// Before a table is the list of where its fields are in it.
FlatBuffer::Table FlatBuffer::add_table(std::span<const Slot> slots) {
  std::array<std::uint16_t, 8> places{};
  std::size_t size = sizeof(std::int32_t);
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const std::size_t field = size_of(slots[i]);
    if (field == 0) continue;
    size = (size + field - 1) / field * field;
    places[i] = static_cast<std::uint16_t>(size);
    size += field;
  }
  const std::size_t list_size = sizeof(std::uint16_t) * (2 + slots.size());
  align(sizeof(std::uint64_t), list_size);
  const std::size_t list = bytes_.size();
  put(static_cast<std::uint16_t>(list_size));
  put(static_cast<std::uint16_t>(size));
  for (std::size_t i = 0; i < slots.size(); ++i) put(places[i]);
  Table table{.at = bytes_.size()};
  put(static_cast<std::int32_t>(table.at - list));
  bytes_.resize(table.at + size);
  for (std::size_t i = 0; i < slots.size(); ++i) table.slots[i] = table.at + places[i];
  return table;
}

std::size_t FlatBuffer::add_text(std::string_view text) {
  const std::size_t at = add_bytes(text);
  bytes_ += '\0';
  return at;
}

std::size_t FlatBuffer::add_references(std::size_t count) {
  align(sizeof(std::uint32_t));
  const std::size_t at = bytes_.size();
  put(static_cast<std::uint32_t>(count));
  bytes_.resize(bytes_.size() + count * sizeof(std::uint32_t));
  return at;
}

std::size_t FlatBuffer::add_bytes(std::string_view bytes) {
  align(sizeof(std::uint32_t));
  const std::size_t at = bytes_.size();
  put(static_cast<std::uint32_t>(bytes.size()));
  bytes_ += bytes;
  return at;
}

std::size_t FlatBuffer::add_numbers(std::span<const std::uint64_t> numbers) {
  align(sizeof(std::uint64_t), sizeof(std::uint32_t));
  const std::size_t at = bytes_.size();
  put(static_cast<std::uint32_t>(numbers.size()));
  for (const std::uint64_t number : numbers) put(number);
  return at;
}

void FlatBuffer::set_number(std::size_t slot, std::uint64_t value) {
  for (std::size_t i = 0; i < sizeof value; ++i) bytes_[slot + i] = static_cast<char>(value >> (8 * i));
}

void FlatBuffer::refer(std::size_t from, std::size_t to) {
  const auto distance = static_cast<std::uint32_t>(to - from);
  for (std::size_t i = 0; i < sizeof distance; ++i) bytes_[from + i] = static_cast<char>(distance >> (8 * i));
}

void FlatBuffer::align(std::size_t size, std::size_t before) {
  while ((bytes_.size() + before) % size != 0) bytes_ += '\0';
}

}  // namespace dinette::tablestore::sql
