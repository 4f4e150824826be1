#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dinette/net/http.h"

namespace dinette::dynamodb::wire {

/// Decides which web pages may call, and writes the headers that browsers ask for (facts: wire.md section 2).
/// Browsers send the page's origin with every POST, same-origin requests included. Refusing origins that are
/// not allowed therefore stops both cross-site requests and DNS rebinding. Other clients send no Origin.
class Cors {
 public:
  /// `origins`, comma-separated: an origin ("https://app.example"); a host ("app.example": http and https,
  /// any port); "local": pages of this machine; "*": every page.
  explicit Cors(std::string_view origins);

  /// Returns true if a page of `origin`, the value of an Origin header, may call.
  bool allows(std::string_view origin) const;

  /// Adds the headers that let the browser show the answer to a page of `origin`, which is allowed.
  void add_headers(std::string_view origin, net::HttpReply& reply) const;

  /// Adds `Vary: Origin` if answers depend on the origin.
  void add_vary(net::HttpReply& reply) const;

  /// Answers an OPTIONS request, such as browsers send before others (preflight): all that it asks for is
  /// allowed.
  static void answer_preflight(const net::HttpRequest& request, net::HttpReply& reply);

 private:
  std::vector<std::string> listed_;  ///< in lower case
  bool local_ = false;
  bool all_ = false;
};

}  // namespace dinette::dynamodb::wire
