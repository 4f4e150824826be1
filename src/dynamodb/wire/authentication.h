#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "dinette/base/clock.h"
#include "dinette/base/result.h"
#include "dinette/dynamodb/auth_options.h"
#include "dinette/http/message.h"

namespace dinette::dynamodb::wire {

/// Who asks, and where: what ARNs are made of.
struct Caller {
  std::string access_key;  ///< Empty if the request is not signed.
  std::string account;     ///< Twelve digits.
  std::string region;

  bool operator==(const Caller&) const = default;
};

/// An error of the service: its code without prefix ("InvalidSignatureException") and its message. HTTP 400.
struct AuthError {
  std::string_view code;  ///< Of static storage.
  std::string message;

  bool operator==(const AuthError&) const = default;
};

/// Judges the signature of requests (AWS Signature Version 4, header and query form; docs/service/wire.md
/// section 5). Thread safe.
///
/// Account of a caller: the one on file for the access key; else the access key itself if it is twelve
/// digits, the habit of users of local stand-ins who want a number of their own in ARNs; else the default.
/// Region: that of the credential scope, else the default.
class Authenticator {
 public:
  /// `clock` must outlive the object.
  Authenticator(AuthOptions options, const base::Clock& clock);
  ~Authenticator();
  Authenticator(const Authenticator&) = delete;
  Authenticator& operator=(const Authenticator&) = delete;

  base::Result<Caller, AuthError> authenticate(const http::Request& request) const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace dinette::dynamodb::wire
