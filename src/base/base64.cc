#include "dinette/base/base64.h"

#include <array>
#include <cstdint>

#include <openssl/evp.h>

namespace dinette::base {
namespace {

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t no_digit = 64;

constexpr auto digit_values = [] {
  std::array<std::uint8_t, 256> digits{};
  digits.fill(no_digit);
  for (std::size_t i = 0; i < alphabet.size(); ++i) {
    digits[static_cast<unsigned char>(alphabet[i])] = static_cast<std::uint8_t>(i);
  }
  return digits;
}();

std::uint32_t digit(char c) {
  return digit_values[static_cast<unsigned char>(c)];
}

// EVP_EncodeBlock counts in int. Pieces are whole groups of three, so that only the last one has padding.
constexpr std::size_t piece = std::size_t{3} << 28;

void encode_piece(std::string& out, std::string_view bytes) {
  const std::size_t start = out.size();
  out.resize(start + (bytes.size() + 2) / 3 * 4 + 1);  // OpenSSL appends a NUL
  const int written =
      EVP_EncodeBlock(reinterpret_cast<unsigned char*>(out.data() + start),
                      reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<int>(bytes.size()));
  out.resize(start + static_cast<std::size_t>(written));
}

}  // namespace

void append_base64(std::string& out, std::string_view bytes) {
  for (; bytes.size() > piece; bytes.remove_prefix(piece)) encode_piece(out, bytes.substr(0, piece));
  if (!bytes.empty()) encode_piece(out, bytes);
}

std::string base64_encode(std::string_view bytes) {
  std::string out;
  append_base64(out, bytes);
  return out;
}

// Not EVP_DecodeBlock: it skips white space, counts padding as bytes and lets unused bits be set.
std::optional<std::string> base64_decode(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  if (text.empty()) return std::string();
  const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
  const std::size_t digits = text.size() - padding;
  std::string out;
  out.reserve(text.size() / 4 * 3);
  std::uint32_t group = 0;
  std::uint32_t seen = 0;  // bit 6 stays set after a character that is not a digit
  for (std::size_t i = 0; i < digits; ++i) {
    const std::uint32_t value = digit(text[i]);
    seen |= value;
    group = (group << 6) | (value & 63);
    if (i % 4 == 3) {
      out.push_back(static_cast<char>(group >> 16));
      out.push_back(static_cast<char>(group >> 8));
      out.push_back(static_cast<char>(group));
      group = 0;
    }
  }
  if (seen & no_digit) return std::nullopt;
  if (padding == 1) {
    if (group & 3) return std::nullopt;
    out.push_back(static_cast<char>(group >> 10));
    out.push_back(static_cast<char>(group >> 2));
  } else if (padding == 2) {
    if (group & 15) return std::nullopt;
    out.push_back(static_cast<char>(group >> 4));
  }
  return out;
}

}  // namespace dinette::base
