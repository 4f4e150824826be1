#pragma once

#include <string>
#include <string_view>

#include "dinette/base/result.h"

namespace dinette::mcp {

struct Reply {
  int status = 0;                ///< of HTTP
  std::string body;              ///< JSON; of metrics, text
  std::string explanation = {};  ///< how a read was executed, as JSON (docs/explain.md); empty: not said
};

/// A DynamoDB and its administration, for the tools; in this process or another.
class Backend {
 public:
  /// A reply of any status, or a message that says why there is none.
  using Outcome = base::Result<Reply, std::string>;

  Backend() = default;
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;
  virtual ~Backend() = default;

  /// Calls an operation. `world`: its name; empty: the caller's. `request`: the input as JSON. `explain`: ask
  /// how it was executed.
  virtual Outcome operate(std::string_view world, std::string_view operation, std::string_view request,
                          bool explain) = 0;

  /// Calls a route. `target`: path and query, such as "/_dinette/clock?world=a". `body`: JSON, or empty.
  virtual Outcome administrate(std::string_view method, std::string_view target, std::string_view body) = 0;
};

}  // namespace dinette::mcp
