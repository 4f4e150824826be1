#pragma once

#include <string>
#include <string_view>

#include "dinette/aws/authenticator.h"
#include "dinette/base/clock.h"
#include "dinette/http/message.h"
#include "dinette/http/page_access.h"

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

  /// Refuses web pages that may not call (http::PageAccess). Where signatures are not verified, reads of
  /// browsers, and unsigned ones, need a host that is safe from rebinding: a page can claim a signature, but
  /// cannot hide its browser. Refuses service workers.
  Done check_page(const http::Request& request) const;
  /// Returns who may show the response in a page of another site (Cross-Origin-Resource-Policy): pages that
  /// may call.
  std::string_view resource_policy(const http::Request& request) const;
  /// Checks the signature, as far as the mode asks for it.
  Done check_signature(const http::Request& request) const;

  /// The same of the chunks of a body, which say that they are signed.
  Done check_chunks(const http::Request& request, const ChunkedBody& body) const;

  const http::PageAccess& pages() const { return pages_; }

 private:
  const aws::AuthMode mode_;
  const http::PageAccess pages_;
  const aws::Authenticator authenticator_;
};

}  // namespace dinette::s3
