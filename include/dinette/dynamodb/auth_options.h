#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

namespace dinette::dynamodb {

enum class AuthMode {
  none,     ///< Signed or not, everyone is welcome; a broken signature is not looked at.
  present,  ///< The parts of a signature must be there and well-formed; it is not computed.
  verify,   ///< The signature must be right for the credentials on file.
};

struct Credential {
  std::string secret;
  std::string session_token;  ///< If not empty, requests must carry exactly this one; else none.
  std::string account;        ///< Twelve digits; empty: told by the access key or the default.
};

/// By access key.
using Credentials = std::unordered_map<std::string, Credential>;

/// Whether this can be a region's name: it becomes a part of ARNs, and of the names of name spaces.
bool is_region_name(std::string_view text);

/// Twelve digits.
bool is_account_number(std::string_view text);

struct AuthOptions {
  AuthMode mode = AuthMode::none;
  Credentials credentials = {};  ///< The secrets matter to `verify`, the accounts to every mode.
  std::string default_account =
      "000000000000";  ///< Of callers whose access key tells none, as DynamoDB Local has it.
  std::string default_region = "us-east-1";  ///< Of callers who name none.
};

}  // namespace dinette::dynamodb
