#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "dinette/base/result.h"

namespace dinette::app {

struct HealthcheckTarget {
  std::string host;
  std::uint16_t port;
  bool tls = false;  ///< the certificate is not verified
};

/// Sends `OPTIONS` to a server. Succeeds if it responds with 200 within `patience`. The result and
/// the error are sentences for the user.
base::Result<std::string, std::string> check_health(const HealthcheckTarget& target,
                                                    std::chrono::milliseconds patience);

}  // namespace dinette::app
