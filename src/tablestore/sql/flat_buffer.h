#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace dinette::tablestore::sql {

/// Writes a buffer of FlatBuffers from its root on, so that what a field refers to follows it. Fields that
/// refer to something are filled in when that is written:
///
///     FlatBuffer buffer;
///     const Table root = buffer.add_table({Slot::reference});
///     buffer.refer(buffer.root(), root.at);
///     buffer.refer(root.slots[0], buffer.add_text("a"));
class FlatBuffer {
 public:
  enum class Slot : std::uint8_t { absent, reference, byte, number };

  /// A table, and where its fields are.
  struct Table {
    std::size_t at = 0;
    std::size_t slots[8] = {};
  };

  FlatBuffer() { put<std::uint32_t>(0); }

  std::size_t root() const { return 0; }
  /// At most eight fields. They are zero.
  Table add_table(std::span<const Slot> slots);
  std::size_t add_text(std::string_view text);
  /// A vector of so many references; the first one is after its length.
  std::size_t add_references(std::size_t count);
  std::size_t add_bytes(std::string_view bytes);
  /// A vector of numbers of eight bytes.
  std::size_t add_numbers(std::span<const std::uint64_t> numbers);

  void set_byte(std::size_t slot, std::uint8_t value) { bytes_[slot] = static_cast<char>(value); }
  void set_number(std::size_t slot, std::uint64_t value);
  void refer(std::size_t from, std::size_t to);

  /// Returns where a reference of a vector is.
  static std::size_t reference(std::size_t vector, std::size_t place) {
    return vector + sizeof(std::uint32_t) * (place + 1);
  }

  std::string take() && { return std::move(bytes_); }

 private:
  /// Has what comes after `before` more bytes begin at a multiple of `size`.
  void align(std::size_t size, std::size_t before = 0);
  template <class Number>
  void put(Number number);

  std::string bytes_;
};

template <class Number>
void FlatBuffer::put(Number number) {
  for (std::size_t i = 0; i < sizeof number; ++i)
    bytes_ += static_cast<char>(static_cast<std::uint64_t>(number) >> (8 * i));
}

}  // namespace dinette::tablestore::sql
