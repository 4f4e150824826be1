#include "dinette/aws/sign_request.h"

#include <chrono>
#include <vector>

#include "aws/signature.h"

namespace dinette::aws {

void sign_request(http::ClientRequest& request, std::string_view host, std::string_view target,
                  std::string_view service, const SigningIdentity& identity, base::TimePoint now) {
  const std::string moment = signing_time(std::chrono::floor<std::chrono::seconds>(now));
  std::vector<http::Header> headers{{"host", host}, {"x-amz-date", moment}};
  if (!identity.session_token.empty()) headers.push_back({"x-amz-security-token", identity.session_token});
  headers.push_back({"x-amz-target", target});
  std::string names;
  for (const http::Header& header : headers) names.append(names.empty() ? "" : ";").append(header.name);

  ClaimedSignature claimed;
  claimed.access_key = identity.access_key;
  claimed.scope = {std::string_view(moment).substr(0, 8), identity.region, service};
  claimed.signed_headers = names;
  const http::Request sent{.method = request.method,
                           .target = request.target,
                           .headers = headers,
                           .body = request.body,
                           .remote = ""};
  const std::string signature =
      Signer().sign(sent, http::QueryString(sent.query()), claimed, moment, identity.secret);

  for (const http::Header& header : headers) {
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

}  // namespace dinette::aws
