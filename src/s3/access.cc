#include "s3/access.h"

#include <array>
#include <string_view>
#include <utility>

#include "dinette/http/local_host.h"
#include "dinette/http/query_string.h"

namespace dinette::s3 {
namespace {

using std::string;
using std::string_view;

/// Of S3 itself, and of LocalStack, whose name means 127.0.0.1 everywhere.
constexpr std::array<string_view, 2> service_domains{"amazonaws.com", "localhost.localstack.cloud"};

// A service worker answers for all pages of its origin, from then on.
constexpr string_view no_service_workers = "Objects are not served as service workers.";

Error denial_of(const aws::AuthError& error) {
  switch (error.problem) {
    case aws::AuthProblem::missing_token:
      return {Code::access_denied};
    case aws::AuthProblem::unrecognized_client:
      return {Code::invalid_access_key_id};
    case aws::AuthProblem::incomplete_signature:
      return {Code::authorization_header_malformed, error.message};
    case aws::AuthProblem::skewed_time:
      return {Code::request_time_too_skewed};
    case aws::AuthProblem::invalid_signature:
      break;
  }
  return {Code::signature_does_not_match};
}

}  // namespace

bool is_signed(const http::Request& request) {
  if (!request.header("authorization").value_or("").empty()) return true;
  const http::QueryString query(request.query());
  return query.find("X-Amz-Signature") || query.find("Signature");
}

Access::Access(aws::AuthOptions auth, const string& cors_origins, const base::Clock& clock)
    : mode_(auth.mode),
      pages_({.cors = {.origins = cors_origins,
                       .exposed_headers =
                           "ETag,Content-Range,Accept-Ranges,Last-Modified,x-amz-request-id,x-amz-id-2",
                       .safe_domains = service_domains}}),
      authenticator_("s3", std::move(auth), clock) {}

Done Access::check_page(const http::Request& request) const {
  if (request.header("service-worker")) return fail(Code::access_denied, string(no_service_workers));
  if (!pages_.admits(request)) return fail(Code::cors_refused);
  if (mode_ == aws::AuthMode::verify || !pages_.may_be_rebound(request)) return {};
  if (is_signed(request) && !http::is_of_browser(request)) return {};
  return fail(Code::access_denied, http::PageAccess::why_rebound(request));
}

string_view Access::resource_policy(const http::Request& request) const {
  const bool may_show = pages_.may_show(http::origin_of(request.header("referer").value_or("")));
  return may_show ? "cross-origin" : "same-site";
}

Done Access::check_signature(const http::Request& request) const {
  if (mode_ == aws::AuthMode::none) return {};
  const auto caller = authenticator_.authenticate(request);
  if (!caller) return base::Failure{denial_of(caller.error())};
  return {};
}

Done Access::check_chunks(const http::Request& request, const ChunkedBody& body) const {
  if (!authenticator_.accepts_chunks(request, body.chunks)) return fail(Code::signature_does_not_match);
  return {};
}

}  // namespace dinette::s3
