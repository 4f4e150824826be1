#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

namespace dinette::aws {

enum class AuthMode {
  none,     ///< no authentication; signatures are not checked
  present,  ///< the parts of a signature must be present and well-formed; it is not verified
  verify,   ///< the signature must be right for the credentials on file
};

struct Credential {
  std::string secret;
  std::string session_token;  ///< if not empty, requests must carry exactly this one, else none
  std::string account;        ///< twelve digits; empty: given by the access key or the default
};

/// By access key.
using Credentials = std::unordered_map<std::string, Credential>;

/// Returns true if this can be a region's name, which becomes part of ARNs and of the names of worlds.
bool is_region_name(std::string_view text);

/// Returns true for twelve digits.
bool is_account_number(std::string_view text);

struct AuthOptions {
  AuthMode mode = AuthMode::none;
  Credentials credentials = {};  ///< `verify` needs the secrets, every mode the accounts
  /// The account of callers whose access key has none.
  std::string default_account = "000000000000";
  /// The region of callers who name none.
  std::string default_region = "us-east-1";
};

}  // namespace dinette::aws
