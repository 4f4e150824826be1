#include "dinette/aws/sign_request.h"

#include <chrono>
#include <vector>

#include "dinette/base/ascii.h"
#include "dinette/base/sha256.h"

#include "aws/signature.h"

namespace dinette::aws {
namespace {

using Headers = std::vector<http::Header>;  ///< ascending by name, which is in lower case

/// Appends `signed_headers` but Host to the request, and the signature of them all. Of one of them,
/// x-amz-date, `moment` is the value.
void append_signed(http::ClientRequest& request, const Headers& signed_headers, std::string_view service,
                   const SigningIdentity& identity, std::string_view moment) {
  std::string names;
  for (const http::Header& header : signed_headers)
    names.append(names.empty() ? "" : ";").append(header.name);
  ClaimedSignature claimed;
  claimed.access_key = identity.access_key;
  claimed.scope = {moment.substr(0, 8), identity.region, service};
  claimed.signed_headers = names;
  const http::Request sent{.method = request.method,
                           .target = request.target,
                           .headers = signed_headers,
                           .body = request.body,
                           .remote = ""};
  const std::string signature =
      Signer().sign(sent, http::QueryString(sent.query()), claimed, moment, identity.secret);

  for (const http::Header& header : signed_headers) {
    if (header.name != "host")
      request.headers.append(header.name).append(": ").append(header.value) += "\r\n";
  }
  request.headers.append("Authorization: ").append(signing_algorithm);
  request.headers.append(" Credential=")
      .append(identity.access_key)
      .append("/")
      .append(joined(claimed.scope));
  request.headers.append(", SignedHeaders=").append(names);
  request.headers.append(", Signature=").append(signature) += "\r\n";
}

std::string moment_of(base::TimePoint now) {
  return signing_time(std::chrono::floor<std::chrono::seconds>(now));
}

}  // namespace

void sign_request(http::ClientRequest& request, std::string_view host, std::string_view target,
                  std::string_view service, const SigningIdentity& identity, base::TimePoint now) {
  const std::string moment = moment_of(now);
  Headers headers{{"host", host}, {"x-amz-date", moment}};
  if (!identity.session_token.empty()) headers.push_back({"x-amz-security-token", identity.session_token});
  headers.push_back({"x-amz-target", target});
  append_signed(request, headers, service, identity, moment);
}

void sign_request_without_target(http::ClientRequest& request, std::string_view host,
                                 std::string_view service, const SigningIdentity& identity,
                                 base::TimePoint now) {
  const std::string moment = moment_of(now);
  Headers headers{{"host", host}, {"x-amz-date", moment}};
  if (!identity.session_token.empty()) headers.push_back({"x-amz-security-token", identity.session_token});
  append_signed(request, headers, service, identity, moment);
}

void sign_s3_request(http::ClientRequest& request, std::string_view host, const SigningIdentity& identity,
                     base::TimePoint now) {
  const std::string moment = moment_of(now);
  const std::string digest = base::hex(base::sha256(request.body));
  Headers headers{{"host", host}, {"x-amz-content-sha256", digest}, {"x-amz-date", moment}};
  if (!identity.session_token.empty()) headers.push_back({"x-amz-security-token", identity.session_token});
  append_signed(request, headers, "s3", identity, moment);
}

}  // namespace dinette::aws
