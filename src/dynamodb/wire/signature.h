#pragma once

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

namespace dinette::dynamodb::wire {

/// The one algorithm that is computed here.
inline constexpr std::string_view kSigningAlgorithm = "AWS4-HMAC-SHA256";

/// The scope that a signature is for: `<date>/<region>/<service>/aws4_request`.
struct SigningScope {
  std::string_view date;  ///< YYYYMMDD
  std::string_view region;
  std::string_view service;
};

/// What a request says about its signature, in either form.
struct ClaimedSignature {
  std::string_view algorithm;
  std::string_view access_key;
  SigningScope scope;
  std::string_view terminator;
  std::string_view signed_headers;          ///< "host;x-amz-date"
  std::string_view signature;               ///< Hexadecimal.
  std::string_view date;                    ///< Of X-Amz-Date or Date, as sent.
  std::string_view token;                   ///< X-Amz-Security-Token; empty if there is none.
  std::optional<std::string_view> expires;  ///< X-Amz-Expires, as sent: seconds; in the query form only.
};

/// Computes signatures of AWS Signature Version 4. Signing keys, which last a day, are cached, up to a bound.
/// Thread safe.
class Signer {
 public:
  /// Gets OpenSSL ready, which is not to run out of memory while it is used for the first time.
  Signer();

  /// The signature, hexadecimal, that the holder of `secret` puts on this request. `moment` is its time as
  /// YYYYMMDDTHHMMSSZ.
  std::string sign(const http::Request& request, const http::QueryString& query,
                   const ClaimedSignature& claimed, std::string_view moment, std::string_view secret) const;

 private:
  using Digest = base::Sha256Digest;

  Digest signing_key(std::string_view access_key, const SigningScope& scope, std::string_view secret) const;

  mutable std::shared_mutex mutex_;
  mutable std::map<std::string, Digest, std::less<>> keys_;  ///< By access key and scope.
};

/// Whether two strings are equal, in a time that tells only their lengths.
bool equal_in_constant_time(std::string_view a, std::string_view b);

}  // namespace dinette::dynamodb::wire
