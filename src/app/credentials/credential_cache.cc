#include "app/credentials/credential_cache.h"

#include <chrono>

namespace dinette::app {
namespace {

// A request that is signed just before they expire may arrive afterwards.
constexpr std::chrono::minutes before_expiry{5};

}  // namespace

base::Result<aws::SigningIdentity, std::string> CredentialCache::identity() {
  const base::TimePoint now = surroundings_.clock.now();
  const bool ending = found_ && found_->expires && *found_->expires - before_expiry <= now;
  if (!found_ || ending) {
    auto found = find_credentials(surroundings_);
    // Some sources hand out the old keys until shortly before their end.
    const bool usable = found_ && found_->expires && *found_->expires > now;
    if (!found && !usable) return std::move(found).failure();
    if (found) found_ = std::move(found).value();
  }
  return aws::SigningIdentity{found_->access_key, found_->secret, found_->session_token, region_};
}

}  // namespace dinette::app
