#include "aws/signature.h"

#include <algorithm>
#include <ctime>
#include <functional>
#include <mutex>

#include "dinette/base/ascii.h"
#include "dinette/http/tokens.h"

namespace dinette::aws {
namespace {

using Digest = base::Sha256Digest;
using http::percent_encode;
using http::QueryString;
using http::take_until;

constexpr std::size_t cached_keys = 256;
constexpr std::string_view s3 = "s3";

std::string_view as_text(const Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

Digest hmac(const Digest& key, std::string_view text) {
  return base::hmac_sha256(as_text(key), text);
}

// Sorted by encoded name, then value; the signature itself is not signed.
std::string canonical_query(const QueryString& query) {
  std::vector<std::pair<std::string, std::string>> encoded;
  for (const auto& [name, value] : query.parameters()) {
    if (name != "X-Amz-Signature") encoded.emplace_back(percent_encode(name), percent_encode(value));
  }
  std::sort(encoded.begin(), encoded.end());
  std::string out;
  for (const auto& [name, value] : encoded) {
    if (!out.empty()) out.push_back('&');
    out.append(name).append("=").append(value);
  }
  return out;
}

// Runs of spaces become one.
void append_collapsed(std::string& out, std::string_view value) {
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (value[i] != ' ' || i == 0 || value[i - 1] != ' ') out.push_back(value[i]);
  }
}

// "name:value,value of the second header of that name\n"
void append_canonical_header(std::string& out, const http::Request& request, std::string_view name) {
  out.append(name).push_back(':');
  bool first = true;
  for (const http::Header& header : request.headers) {
    if (!http::same_header_name(header.name, name)) continue;
    if (!first) out.push_back(',');
    append_collapsed(out, header.value);
    first = false;
  }
  out.push_back('\n');
}

/// Returns the path, which every service except S3 encodes a second time.
std::string canonical_path(const http::Request& request, std::string_view service) {
  if (service == s3) return percent_encode(http::percent_decode(request.path()), "/");
  return percent_encode(request.path(), "/");
}

/// Returns what is signed of the body. For S3, a header says that; presigned requests sign nothing.
std::string payload_hash(const http::Request& request, std::string_view service) {
  if (service != s3) return base::hex(base::sha256(request.body));
  return std::string(request.header("x-amz-content-sha256").value_or("UNSIGNED-PAYLOAD"));
}

std::string canonical_request(const http::Request& request, const QueryString& query,
                              const ClaimedSignature& claimed) {
  std::string out(request.method);
  out.append("\n").append(canonical_path(request, claimed.scope.service));
  out.append("\n").append(canonical_query(query)).append("\n");
  for (std::string_view rest = claimed.signed_headers; !rest.empty();)
    append_canonical_header(out, request, take_until(rest, ';'));
  out.append("\n").append(claimed.signed_headers);
  return out.append("\n").append(payload_hash(request, claimed.scope.service));
}

}  // namespace

std::string joined(const SigningScope& scope) {
  std::string out(scope.date);
  return out.append("/").append(scope.region).append("/").append(scope.service).append("/aws4_request");
}

std::string signing_time(std::chrono::sys_seconds moment) {
  const std::time_t seconds = moment.time_since_epoch().count();
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y%m%dT%H%M%SZ", &utc)};
}

std::string Signer::sign(const http::Request& request, const QueryString& query,
                         const ClaimedSignature& claimed, std::string_view moment,
                         std::string_view secret) const {
  std::string to_sign(signing_algorithm);
  to_sign.append("\n").append(moment).append("\n").append(joined(claimed.scope)).append("\n");
  to_sign.append(base::hex(base::sha256(canonical_request(request, query, claimed))));
  return sign_text(to_sign, claimed, secret);
}

std::string Signer::sign_text(std::string_view text, const ClaimedSignature& claimed,
                              std::string_view secret) const {
  return base::hex(hmac(signing_key(claimed.access_key, claimed.scope, secret), text));
}

Signer::Digest Signer::signing_key(std::string_view access_key, const SigningScope& scope,
                                   std::string_view secret) const {
  std::string place(access_key);
  place.append("/").append(joined(scope));
  {
    const std::shared_lock lock(mutex_);
    if (const auto found = keys_.find(place); found != keys_.end()) return found->second;
  }
  const Digest date = base::hmac_sha256("AWS4" + std::string(secret), scope.date);
  const Digest key = hmac(hmac(hmac(date, scope.region), scope.service), "aws4_request");
  const std::unique_lock lock(mutex_);
  // Clients use few keys and regions. More only cost time.
  if (keys_.size() >= cached_keys) keys_.clear();
  keys_.emplace(std::move(place), key);
  return key;
}

}  // namespace dinette::aws
