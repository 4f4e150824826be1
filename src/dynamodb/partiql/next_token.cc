#include "dynamodb/partiql/next_token.h"

#include <string_view>

#include "dinette/base/base64.h"
#include "dinette/base/sha256.h"

#include "dynamodb/codec/item_text.h"

namespace dinette::dynamodb::partiql {
namespace {

constexpr std::size_t digest_bytes = 16;
constexpr std::size_t number_bytes = 4;
constexpr std::size_t front_bytes = 2 * digest_bytes + number_bytes;

std::string digest_of(std::string_view bytes) {
  const base::Sha256Digest digest = base::sha256(bytes);
  return {digest.begin(), digest.begin() + digest_bytes};
}

/// Returns the digest of everything that must be the same for each page.
std::string digest_of_request(const std::string& text, const Parameters& parameters) {
  std::string all = text;
  if (parameters) {
    for (const codec::AttributeValueInput& parameter : *parameters) {
      all += '\0';
      codec::append_value(all, parameter.value);
    }
  }
  return digest_of(all);
}

base::Failure<ApiError> invalid_token() {
  return validation("Invalid NextToken");
}

}  // namespace

// A digest of the rest, one of the request, the number of the read, the store's key.
std::string next_token(const PagePosition& position, const std::string& text, const Parameters& parameters) {
  std::string rest = digest_of_request(text, parameters);
  for (std::size_t i = 0; i < number_bytes; ++i) rest += static_cast<char>(position.read >> (8 * i) & 0xFFU);
  rest += position.after;
  return base::base64_encode(digest_of(rest) + rest);
}

Answer<PagePosition> read_token(const std::string& token, const std::string& text,
                                const Parameters& parameters) {
  const auto bytes = base::base64_decode(token);
  if (!bytes || bytes->size() < front_bytes) return invalid_token();
  const std::string_view rest = std::string_view(*bytes).substr(digest_bytes);
  if (!bytes->starts_with(digest_of(rest))) return invalid_token();
  if (!rest.starts_with(digest_of_request(text, parameters)))
    return validation("NextToken does not match request");
  PagePosition position;
  for (std::size_t i = 0; i < number_bytes; ++i)
    position.read |= std::size_t{static_cast<unsigned char>(rest[digest_bytes + i])} << (8 * i);
  position.after = rest.substr(digest_bytes + number_bytes);
  return position;
}

}  // namespace dinette::dynamodb::partiql
