#include "s3/access.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <boost/asio/ip/address.hpp>

#include "dinette/base/ascii.h"
#include "dinette/http/local_host.h"

namespace dinette::s3 {
namespace {

using std::string;
using std::string_view;

/// Names that cannot be registered, or that are Amazon's own.
constexpr std::array<string_view, 6> safe_suffixes{".localhost", ".local",         ".internal",
                                                   ".test",      ".amazonaws.com", ".lan"};

bool is_address(string_view host) {
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  boost::system::error_code failed;
  boost::asio::ip::make_address(host, failed);
  return !failed;
}

bool is_safe_from_rebinding(string_view host) {
  return host.find('.') == string_view::npos || is_address(host) ||
         std::ranges::any_of(safe_suffixes, [&](string_view suffix) { return host.ends_with(suffix); });
}

Error denial_of(const aws::AuthError& error) {
  switch (error.problem) {
    case aws::AuthProblem::missing_token:
      return {Code::access_denied};
    case aws::AuthProblem::unrecognized_client:
      return {Code::invalid_access_key_id};
    case aws::AuthProblem::incomplete_signature:
      return {Code::authorization_header_malformed, error.message};
    case aws::AuthProblem::invalid_signature:
      break;
  }
  if (error.message.starts_with("Signature expired") ||
      error.message.starts_with("Signature not yet current"))
    return {Code::request_time_too_skewed};
  return {Code::signature_does_not_match};
}

}  // namespace

Access::Access(aws::AuthOptions auth, const string& cors_origins, const base::Clock& clock)
    : mode_(auth.mode),
      cors_(
          {.origins = cors_origins,
           .exposed_headers = "ETag,Content-Range,Accept-Ranges,Last-Modified,x-amz-request-id,x-amz-id-2"}),
      authenticator_("s3", std::move(auth), clock) {}

Done Access::check_page(const http::Request& request) const {
  if (const auto origin = request.header("origin"))
    return cors_.allows(*origin) ? Done() : Done(fail(Code::cors_refused));
  string host(http::host_of(request.header("host").value_or("")).value_or(""));
  std::ranges::transform(host, host.begin(), base::to_lower);
  if (mode_ == aws::AuthMode::verify || is_safe_from_rebinding(host) || cors_.allows("http://" + host))
    return {};
  return fail(Code::access_denied,
              "Dinette does not know the host '" + host +
                  "', which a web page may have been rebound to. Start it with --cors and this name to admit "
                  "it.");
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
