#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "dinette/aws/auth_options.h"
#include "dinette/base/clock.h"
#include "dinette/base/result.h"
#include "dinette/http/message.h"

namespace dinette::aws {

/// Who sent a request, and to which region.
struct Caller {
  std::string access_key;  ///< empty if the request is not signed
  std::string account;     ///< twelve digits
  std::string region;

  bool operator==(const Caller&) const = default;
};

/// The exceptions of AWS services for callers that they do not know.
enum class AuthProblem {
  incomplete_signature,
  invalid_signature,
  skewed_time,  ///< signed too long ago, or in the future: for most services an invalid signature
  missing_token,
  unrecognized_client
};

struct AuthError {
  AuthProblem problem;
  std::string message;

  bool operator==(const AuthError&) const = default;
};

/// Some bytes of a body whose parts are signed one after the other.
struct SignedChunk {
  std::string_view bytes;
  std::string_view signature;
};

/// Checks the signatures of requests (AWS Signature Version 4, in the header or the query;
/// docs/service/wire.md section 5). Thread-safe.
///
/// The account of a caller is the one on file for the access key; else the access key itself if it is twelve
/// digits, which lets users of a local server choose the number in ARNs; else the default. The region is that
/// of the endpoint that the request was sent to, if it has one; else that of the credential scope; else the
/// default. Where signatures are verified, one for another region than the endpoint's is refused.
class Authenticator {
 public:
  /// `service` is the name in credential scopes, such as "dynamodb". `clock` must outlive the object.
  Authenticator(std::string_view service, AuthOptions options, const base::Clock& clock);
  ~Authenticator();
  Authenticator(const Authenticator&) = delete;
  Authenticator& operator=(const Authenticator&) = delete;

  /// The caller is shared by requests; never null.
  base::Result<std::shared_ptr<const Caller>, AuthError> authenticate(const http::Request& request) const {
    return authenticate(request, request.header("authorization"));
  }
  /// The same for those who have looked for the header `Authorization` already: its value, if there is one.
  base::Result<std::shared_ptr<const Caller>, AuthError> authenticate(
      const http::Request& request, std::optional<std::string_view> authorization) const;
  /// Returns true if each chunk is signed together with the signature before it, the first one with that of
  /// the request, which authenticate() accepts. Accepts all chunks if signatures are not verified.
  bool accepts_chunks(const http::Request& request, std::span<const SignedChunk> chunks) const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace dinette::aws
