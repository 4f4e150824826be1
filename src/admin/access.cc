#include "admin/access.h"

#include <algorithm>
#include <string>

#include "dinette/base/ascii.h"
#include "dinette/http/local_host.h"

namespace dinette::admin {
namespace {

constexpr std::string_view bearer = "Bearer ";
constexpr std::string_view token_header = "X-Dinette-Admin-Token";

Error forbidden(std::string message) {
  return {403, "Forbidden", std::move(message)};
}

/// Returns true if the request says that it came through a proxy, which may be on this machine when its
/// caller is not.
bool was_forwarded(const http::Request& request) {
  return request.header("X-Forwarded-For") || request.header("Forwarded") || request.header("Via");
}

/// Returns true if a Host header names this machine in a way that no name server can make up.
bool is_name_of_this_machine(std::string_view authority) {
  const auto host = http::host_of(authority);
  if (!host) return false;
  std::string lower(*host);
  std::ranges::transform(lower, lower.begin(), base::to_lower);
  return http::is_local_host(lower) || http::is_own_address(lower);
}

/// Returns the token that the request presents; empty for none.
std::string_view presented_token(const http::Request& request) {
  if (const auto own = request.header(token_header)) return *own;
  const std::string_view authorization = request.header("Authorization").value_or("");
  const bool is_bearer = base::equal_ignoring_case(authorization.substr(0, bearer.size()), bearer);
  return is_bearer ? authorization.substr(bearer.size()) : std::string_view();
}

}  // namespace

Access::Access(const ApiOptions& options)
    : for_all_callers_(options.token_for_all_callers), services_({.origins = options.cors_origins}) {
  if (!options.token.empty()) token_ = base::sha256(options.token);
}

std::optional<Error> Access::refuse_page(const http::Request& request) const {
  const auto origin = request.header("Origin");
  if (!origin) return std::nullopt;
  const std::string_view host = request.header("Host").value_or("");
  const bool is_ours = local_.allows(*origin) || (token_ && http::is_own_origin(*origin, host));
  if (is_ours && services_.allows(*origin, host)) return std::nullopt;
  return forbidden("Web pages of origin " + std::string(*origin) +
                   " may not administrate this server: only those of its own machine may, if its option "
                   "--cors admits them, and with --admin-token also its own page at the address by which "
                   "it is called, here '" +
                   std::string(host) + "' (a proxy must keep the Host header).");
}

std::optional<Error> Access::refuse_caller(const http::Request& request) const {
  const std::string_view presented = token_ ? presented_token(request) : std::string_view();
  if (presented.empty()) {
    if (!token_ || !for_all_callers_) return refuse_without_token(request);
    return Error{401, "Unauthorized",
                 "This server was started with --admin-token: send 'Authorization: Bearer TOKEN' or "
                 "'X-Dinette-Admin-Token: TOKEN'."};
  }
  // How long it takes to compare digests says nothing about the token.
  if (base::sha256(presented) == *token_) return std::nullopt;
  return forbidden(for_all_callers_ ? "The token is not the one of --admin-token."
                                    : "The token is not the one that the server printed at its start.");
}

std::optional<Error> Access::refuse_without_token(const http::Request& request) const {
  const std::string how =
      token_ ? "Others send the token that it printed at its start, or one that --admin-token sets."
             : "Its option --admin-token admits others.";
  if (!http::is_on_this_machine(request.remote) || was_forwarded(request))
    return forbidden("Only programs on the server's own machine may administrate it. " + how);
  const std::string_view host = request.header("Host").value_or("");
  if (is_name_of_this_machine(host)) return std::nullopt;
  return forbidden("The host '" + std::string(host) +
                   "' is not a name of this machine that is safe from rebinding. Call 127.0.0.1 or "
                   "localhost, or start the server with --admin-token.");
}

}  // namespace dinette::admin
