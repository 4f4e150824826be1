#include "tablestore/wire/signatures.h"

#include <algorithm>
#include <array>
#include <utility>

#include <boost/container/small_vector.hpp>

#include "dinette/base/ascii.h"
#include "dinette/base/base64.h"
#include "dinette/base/sha1.h"
#include "dinette/base/sha256.h"

namespace dinette::tablestore::wire {
namespace {

template <class Digest>
std::string_view bytes_of(const Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

/// Orders by names in lower case, and those of one name as they were sent.
bool precedes(const http::Header* a, const http::Header* b) {
  const auto same = [](char x, char y) { return base::to_lower(x) == base::to_lower(y); };
  const auto [at_a, at_b] = std::ranges::mismatch(a->name, b->name, same);
  if (at_a == a->name.end() || at_b == b->name.end())
    return std::pair(a->name.size(), a) < std::pair(b->name.size(), b);
  return base::to_lower(*at_a) < base::to_lower(*at_b);
}

void append_header(std::string& text, std::string_view name, std::string_view value) {
  for (const char c : name) text += base::to_lower(c);
  text += ':';
  text += value;
  text += '\n';
}

/// Returns an empty text with room for all that is signed.
std::string text_for(std::string_view path, std::span<const http::Header> headers) {
  constexpr std::size_t signs = 8;  // about a path
  std::size_t size = path.size() + signs;
  for (const http::Header& header : headers) size += header.name.size() + header.value.size() + 2;
  std::string text;
  text.reserve(size);
  return text;
}

}  // namespace

std::string request_text(std::string_view path, std::span<const http::Header> headers) {
  constexpr std::size_t usual_headers = 8;
  boost::container::small_vector<const http::Header*, usual_headers> sorted;
  for (const http::Header& header : headers) sorted.push_back(&header);
  std::ranges::sort(sorted, precedes);
  std::string text = text_for(path, headers);
  text += path;
  text += "\nPOST\n\n";  // the empty line is for a query, which there never is
  for (const http::Header* const header : sorted) append_header(text, header->name, header->value);
  return text;
}

std::string sign(std::string_view secret, std::string_view text) {
  return base::base64_encode(bytes_of(base::hmac_sha1(secret, text)));
}

std::string derive_key(std::string_view secret, std::string_view date, std::string_view region) {
  base::Sha256Digest key = base::hmac_sha256("aliyun_v4" + std::string(secret), date);
  for (const std::string_view part : {region, std::string_view("ots"), std::string_view("aliyun_v4_request")})
    key = base::hmac_sha256(bytes_of(key), part);
  return base::base64_encode(bytes_of(key));
}

std::string sign_v4(std::string_view key, std::string_view text) {
  return base::base64_encode(bytes_of(base::hmac_sha256(key, std::string(text) + "ots")));
}

std::string reply_text(std::string_view path, std::span<const http::Header> headers) {
  std::string text = text_for(path, headers);
  for (const http::Header& header : headers) append_header(text, header.name, header.value);
  text += path;
  return text;
}

}  // namespace dinette::tablestore::wire
