#pragma once

#include <string>
#include <string_view>

#include "dinette/base/result.h"

namespace dinette::mcp {

struct Reply {
  int status = 0;    ///< of HTTP
  std::string body;  ///< JSON
};

/// What the tools work on: a DynamoDB and its administration, wherever they are.
class Backend {
 public:
  /// A reply of any status, or a sentence about why there is none.
  using Outcome = base::Result<Reply, std::string>;

  Backend() = default;
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;
  virtual ~Backend() = default;

  /// `world`: name of the world; empty: that of the caller. `request`: the operation's input as JSON.
  virtual Outcome operate(std::string_view world, std::string_view operation, std::string_view request) = 0;

  /// `target`: path and query, such as "/_dinette/clock?world=a". `body`: JSON, or empty.
  virtual Outcome administrate(std::string_view method, std::string_view target, std::string_view body) = 0;
};

}  // namespace dinette::mcp
