#pragma once

#include <optional>
#include <string>

#include "dinette/aws/sign_request.h"

#include "app/credentials/credentials.h"

namespace dinette::app {

/// Keeps credentials, and finds them again before they expire. For one thread.
class CredentialCache {
 public:
  CredentialCache(CredentialSurroundings surroundings, std::string region)
      : surroundings_(std::move(surroundings)), region_(std::move(region)) {}

  /// Returns who signs a request now. The error is a sentence for the user.
  base::Result<aws::SigningIdentity, std::string> identity();

  /// Forgets what a server says has expired, so that it is found again.
  void forget() { found_.reset(); }

  /// Returns where the credentials are from, for the user; empty before the first call of identity().
  std::string source() const { return found_ ? found_->source : ""; }

 private:
  const CredentialSurroundings surroundings_;
  const std::string region_;
  std::optional<Credentials> found_;
};

}  // namespace dinette::app
