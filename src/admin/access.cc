#include "admin/access.h"

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

/// Returns the token that the request presents; empty for none.
std::string_view presented_token(const http::Request& request) {
  if (const auto own = request.header(token_header)) return *own;
  const std::string_view authorization = request.header("Authorization").value_or("");
  const bool is_bearer = base::equal_ignoring_case(authorization.substr(0, bearer.size()), bearer);
  return is_bearer ? authorization.substr(bearer.size()) : std::string_view();
}

}  // namespace

Access::Access(const ApiOptions& options)
    : for_all_callers_(options.token_for_all_callers),
      pages_({.cors = {.origins = options.cors_origins},
              .pages = options.token.empty() ? http::Pages::of_this_machine
                                             : http::Pages::of_this_machine_or_own}) {
  if (!options.token.empty()) token_ = base::sha256(options.token);
}

std::optional<Error> Access::refuse_page(const http::Request& request) const {
  if (pages_.admits(request)) return std::nullopt;
  return forbidden("Web pages of origin " + std::string(request.header("Origin").value_or("")) +
                   " may not administrate this server: only those of its own machine may, if its option "
                   "--cors admits them, and with --admin-token also its own page at the address by which "
                   "it is called, here '" +
                   std::string(request.header("Host").value_or("")) +
                   "' (a proxy must keep the Host header).");
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
  if (!http::was_sent_here(request))
    return forbidden("Only programs on the server's own machine may administrate it. " + how);
  const std::string_view host = request.header("Host").value_or("");
  if (http::is_name_of_this_machine(host)) return std::nullopt;
  return forbidden("The host '" + std::string(host) +
                   "' is not a name of this machine that is safe from rebinding. Call 127.0.0.1 or "
                   "localhost, or start the server with --admin-token.");
}

}  // namespace dinette::admin
