#pragma once

#include <chrono>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/http/message.h"

namespace dinette::http {

struct CorsOptions {
  /// Comma-separated: an origin ("https://app.example"); a host ("app.example": http and https, any port);
  /// "local": pages of this machine; "*": every page that has an origin; "null": pages that have none, such
  /// as those in a sandbox.
  std::string origins = "local";
  /// The response headers that pages may read, comma-separated.
  std::string exposed_headers = {};
  /// Domains whose names are safe from rebinding (is_safe_from_rebinding); of static storage.
  std::span<const std::string_view> safe_domains = {};
  /// How long browsers may cache a preflight response.
  std::chrono::seconds preflight_age{600};
};

/// Decides which web pages may call, and writes the headers that browsers require (CORS, the Fetch standard).
/// Browsers send the page's origin with every POST, same-origin requests included. Refusing origins that are
/// not allowed therefore stops both cross-site requests and DNS rebinding. Other clients send no Origin.
///
/// Reads (GET, HEAD) are sent without it, to the page's own origin and for images: admits_host() is for
/// those.
///
///     const auto origin = request.header("Origin");
///     const auto host = request.header("Host").value_or("");
///     if (origin && !cors.allows(*origin, host)) return refuse(response);
///     if (request.method == "OPTIONS") cors.answer_preflight(request, response);
///     if (origin) cors.add_headers(*origin, response);
class Cors {
 public:
  explicit Cors(CorsOptions options);

  /// Returns true if a page of `origin`, the value of an Origin header, may call.
  bool allows(std::string_view origin) const;

  /// The same for a call to `host`, the Host header: where pages of this machine may call, one that was
  /// loaded from this server, by an address, is one of them. Names may have been rebound.
  bool allows(std::string_view origin, std::string_view host) const;

  /// Returns true if no page can have sent a request without an Origin from an origin that may not call: its
  /// Host is safe from rebinding, or one whose pages may call.
  bool admits_host(const Request& request) const;

  /// Completes the response to a page of `origin`: if the page may call, its browser lets it see the
  /// response, and caches keep responses to different origins apart.
  void add_headers(std::string_view origin, Response& response) const;

  /// Answers an OPTIONS request such as browsers send before others (preflight): everything that it asks for
  /// is allowed. A request without Origin comes from no page, and its response gets no header.
  void answer_preflight(const Request& request, Response& response) const;

 private:
  const CorsOptions options_;
  std::vector<std::string> listed_;  ///< in lower case
  bool local_ = false;
  bool all_ = false;
};

/// Returns the origin of an http or https URL, as an Origin header has it; empty for others.
std::string_view origin_of(std::string_view url);

/// Returns true if a page of `origin` calls the server that it was loaded from, at `host`, the Host header.
bool is_own_origin(std::string_view origin, std::string_view host);

}  // namespace dinette::http
