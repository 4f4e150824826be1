#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/container/small_vector.hpp>

#include "dinette/http/message.h"
#include "dinette/tablestore/service.h"

#include "tablestore/wire/ots_headers.h"

namespace dinette::tablestore::wire {

/// With what a reply is signed.
struct Signer {
  std::string key;        ///< the caller's secret, or what version 4 derives from it
  bool verified = false;  ///< the request is signed with it
};

/// The access keys, and how they sign. Immutable.
class KeyRing {
 public:
  KeyRing(const std::vector<AccessKey>& keys, bool strict);

  /// Returns true if a caller may have that key.
  bool admits(std::string_view access_key) const { return !strict_ || known_.contains(access_key); }
  /// Returns true if a request with that key must be signed rightly.
  bool requires_signature(std::string_view access_key) const {
    return strict_ || known_.contains(access_key);
  }

  /// Returns how to sign the reply to a request, which must have an access key: with the secret that has
  /// signed the request, else with the likeliest.
  Signer signer_of(const http::Request& request, const OtsHeaders& headers) const;

 private:
  using Secrets = boost::container::small_vector<std::string_view, 3>;
  Secrets secrets_of(std::string_view access_key) const;

  std::map<std::string, std::string, std::less<>> known_;  ///< secrets by access key
  const bool strict_;
};

}  // namespace dinette::tablestore::wire
