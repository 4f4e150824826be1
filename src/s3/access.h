#pragma once

#include <string>
#include <string_view>

#include "dinette/aws/authenticator.h"
#include "dinette/base/clock.h"
#include "dinette/http/cors.h"
#include "dinette/http/message.h"

#include "s3/chunked.h"
#include "s3/error.h"

namespace dinette::s3 {

/// Returns true if the request carries a signature, in the header or the query, valid or not.
bool is_signed(const http::Request& request);

/// Decides who may call. Thread-safe.
class Access {
 public:
  /// `clock` must outlive it.
  Access(aws::AuthOptions auth, const std::string& cors_origins, const base::Clock& clock);

  /// Refuses web pages of origins that may not call. A page can also read, without an Origin header, from the
  /// host that it was loaded from, which its owner can point to this machine (DNS rebinding). Where
  /// signatures are not verified, reads of browsers, and unsigned ones, therefore need a host that is safe
  /// from that. (A page can claim a signature, but cannot hide its browser.) Refuses service workers.
  Done check_page(const http::Request& request) const;
  /// Returns who may show the response in a page of another site (Cross-Origin-Resource-Policy): pages that
  /// may call.
  std::string_view resource_policy(const http::Request& request) const;
  /// Checks the signature, as far as the mode asks for it.
  Done check_signature(const http::Request& request) const;

  /// The same of the chunks of a body, which say that they are signed.
  Done check_chunks(const http::Request& request, const ChunkedBody& body) const;

  const http::Cors& cors() const { return cors_; }

 private:
  const aws::AuthMode mode_;
  const http::Cors cors_;
  const aws::Authenticator authenticator_;
};

}  // namespace dinette::s3
