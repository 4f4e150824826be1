#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace dinette::tablestore::plainbuffer {

/// The checksums of cells and rows: CRC-8 with the polynomial x^8+x^2+x+1 (tablestore/plainbuffer.md
/// section 4).
class Crc8 {
 public:
  void add(std::uint8_t byte) { sum_ = tables[0][sum_ ^ byte]; }
  void add(std::string_view bytes);
  std::uint8_t value() const { return sum_; }

 private:
  static constexpr std::size_t stride = 8;
  using Table = std::array<std::uint8_t, 256>;

  /// Of the table at `i` an entry is the checksum of the byte and `i` zeros after it: so eight bytes of a
  /// long value do not wait for each other.
  static constexpr std::array<Table, stride> tables = [] {
    std::array<Table, stride> made{};
    for (unsigned byte = 0; byte < 256; ++byte) {
      unsigned sum = byte;
      for (int bit = 0; bit < 8; ++bit) sum = (sum << 1) ^ ((sum & 0x80) != 0 ? 0x107U : 0U);
      made[0][byte] = static_cast<std::uint8_t>(sum);
    }
    for (std::size_t i = 1; i < stride; ++i) {
      for (std::size_t byte = 0; byte < 256; ++byte) made[i][byte] = made[0][made[i - 1][byte]];
    }
    return made;
  }();

  std::uint8_t sum_ = 0;
};

inline void Crc8::add(std::string_view bytes) {
  const auto at = [&](std::size_t place) { return static_cast<std::uint8_t>(bytes[place]); };
  std::size_t place = 0;
  for (; bytes.size() - place >= stride; place += stride) {
    std::uint8_t sum = tables[stride - 1][sum_ ^ at(place)];
    for (std::size_t i = 1; i < stride; ++i) sum ^= tables[stride - 1 - i][at(place + i)];
    sum_ = sum;
  }
  for (; place < bytes.size(); ++place) add(at(place));
}

}  // namespace dinette::tablestore::plainbuffer
