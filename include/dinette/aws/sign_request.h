#pragma once

#include <string>
#include <string_view>

#include "dinette/base/clock.h"
#include "dinette/http/client.h"

namespace dinette::aws {

/// The signer of a request, and the region.
struct SigningIdentity {
  std::string access_key;
  std::string secret;
  std::string session_token;  ///< empty: none
  std::string region;
};

/// Appends the header lines that sign a POST to "/" (AWS Signature Version 4): the time, the token if there
/// is one, and the signature of these, of the host, of the target and of the body. `host`: the value of the
/// header Host; `target`: that of X-Amz-Target, which is also appended; `service`: the name in credential
/// scopes.
void sign_request(http::ClientRequest& request, std::string_view host, std::string_view target,
                  std::string_view service, const SigningIdentity& identity, base::TimePoint now);

/// The same for a request whose operation is not in a target but in its body, as that of a form, or in its
/// method and path, as in REST. These are signed as they are; values of a query must be percent-encoded.
void sign_request_without_target(http::ClientRequest& request, std::string_view host,
                                 std::string_view service, const SigningIdentity& identity,
                                 base::TimePoint now);

/// The same for a request of S3, whose method and target are signed as they are.
void sign_s3_request(http::ClientRequest& request, std::string_view host, const SigningIdentity& identity,
                     base::TimePoint now);

}  // namespace dinette::aws
