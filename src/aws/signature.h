#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>

#include "dinette/base/sha256.h"
#include "dinette/http/message.h"
#include "dinette/http/query_string.h"

namespace dinette::aws {

/// The only algorithm that is supported.
inline constexpr std::string_view signing_algorithm = "AWS4-HMAC-SHA256";

/// The scope that a signature is for: `<date>/<region>/<service>/aws4_request`.
struct SigningScope {
  std::string_view date;  ///< YYYYMMDD
  std::string_view region;
  std::string_view service;
};

/// Returns the scope as credentials and signed texts have it.
std::string joined(const SigningScope& scope);

/// Returns a time as signatures have it, "20260131T081500Z".
std::string signing_time(std::chrono::sys_seconds moment);

/// What a request says about its signature, in the header or the query.
struct ClaimedSignature {
  std::string_view algorithm;
  std::string_view access_key;
  SigningScope scope;
  std::string_view terminator;
  std::string_view signed_headers;          ///< "host;x-amz-date"
  std::string_view signature;               ///< hexadecimal
  std::string_view date;                    ///< of X-Amz-Date or Date, as sent
  std::string_view token;                   ///< X-Amz-Security-Token; empty if there is none
  std::optional<std::string_view> expires;  ///< X-Amz-Expires, as sent: seconds; in the query only
};

/// Computes signatures of AWS Signature Version 4. Caches signing keys, which last a day, up to a bound.
/// Thread-safe.
class Signer {
 public:
  /// Returns the signature, hexadecimal, that the holder of `secret` puts on this request. `moment` is its
  /// time as YYYYMMDDTHHMMSSZ.
  std::string sign(const http::Request& request, const http::QueryString& query,
                   const ClaimedSignature& claimed, std::string_view moment, std::string_view secret) const;

  /// Returns the signature of a text in the scope that is claimed.
  std::string sign_text(std::string_view text, const ClaimedSignature& claimed,
                        std::string_view secret) const;

 private:
  using Digest = base::Sha256Digest;

  Digest signing_key(std::string_view access_key, const SigningScope& scope, std::string_view secret) const;

  mutable std::shared_mutex mutex_;
  mutable std::map<std::string, Digest, std::less<>> keys_;  ///< by access key and scope
};

}  // namespace dinette::aws
