#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dinette/net/http.h"

namespace dinette::dynamodb::wire {

/// What browsers may do (facts: wire.md section 2).
class Cors {
 public:
  /// Comma-separated origins, or "*" for all.
  explicit Cors(std::string_view origins);

  /// Answers a preflight: an OPTIONS request with an Origin. False when `request` is none.
  bool answer_preflight(const net::HttpRequest& request, net::HttpReply& reply) const;

  /// Adds what a browser wants to see on the answer to a request from another origin.
  void add_headers(const net::HttpRequest& request, net::HttpReply& reply) const;

 private:
  /// What Access-Control-Allow-Origin says to this origin; empty when it may not call.
  std::string_view allowed(std::string_view origin) const;

  std::vector<std::string> origins_;  // empty: all
};

}  // namespace dinette::dynamodb::wire
