#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/http/message.h"

namespace dinette::http {

struct CorsOptions {
  /// Comma-separated: an origin ("https://app.example"); a host ("app.example": http and https, any port);
  /// "local": pages of this machine; "*": every page.
  std::string origins = "local";
  /// The response headers that pages may read, comma-separated.
  std::string exposed_headers = {};
  /// How long browsers may cache a preflight response.
  std::chrono::seconds preflight_age{600};
};

/// Decides which web pages may call, and writes the headers that browsers require (CORS, the Fetch standard).
/// Browsers send the page's origin with every POST, same-origin requests included. Refusing origins that are
/// not allowed therefore stops both cross-site requests and DNS rebinding. Other clients send no Origin.
///
///     const auto origin = request.header("Origin");
///     if (origin && !cors.allows(*origin)) return refuse(response);
///     if (request.method == "OPTIONS") cors.answer_preflight(request, response);
///     if (origin) cors.add_headers(*origin, response);
class Cors {
 public:
  explicit Cors(CorsOptions options);

  /// Returns true if a page of `origin`, the value of an Origin header, may call.
  bool allows(std::string_view origin) const;

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

}  // namespace dinette::http
