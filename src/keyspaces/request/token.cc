#include "keyspaces/request/token.h"

#include <algorithm>

#include "dinette/base/base64.h"
#include "dinette/base/bytes.h"
#include "dinette/base/crc32.h"

namespace dinette::keyspaces {
namespace {

constexpr std::size_t check_size = sizeof(std::uint32_t);
constexpr std::size_t head_size = 1 + sizeof(std::uint32_t);
/// Makes 80 characters in base64.
constexpr std::size_t least_size = 60;

}  // namespace

std::string sealed(TokenKind kind, std::string_view content) {
  std::string bytes(1, static_cast<char>(kind));
  base::append_big_endian(bytes, static_cast<std::uint32_t>(content.size()));
  bytes += content;
  bytes.resize(std::max(bytes.size(), least_size - check_size));
  base::append_big_endian(bytes, base::crc32(bytes));
  return base::base64_encode(bytes);
}

std::optional<std::string> unsealed(TokenKind kind, std::string_view token) {
  const auto bytes = base::base64_decode(token);
  if (!bytes || bytes->size() < least_size) return std::nullopt;
  const std::string_view checked = std::string_view(*bytes).substr(0, bytes->size() - check_size);
  if (base::load_big_endian<std::uint32_t>(bytes->data() + checked.size()) != base::crc32(checked))
    return std::nullopt;
  const auto size = base::load_big_endian<std::uint32_t>(checked.data() + 1);
  if (checked.front() != static_cast<char>(kind) || size > checked.size() - head_size) return std::nullopt;
  return std::string(checked.substr(head_size, size));
}

}  // namespace dinette::keyspaces
