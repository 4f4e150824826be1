#pragma once

#include <string>
#include <string_view>

#include "dinette/base/result.h"

#include "app/credentials/credentials.h"

namespace dinette::app {

// Readers of what hands out credentials. Their texts come from elsewhere: any bytes are read without harm.
// An error is a sentence's end that has nothing of the text but the code of a refusal.

/// Reads what a program of credential_process prints.
FoundCredentials read_process_output(std::string_view text);

/// Reads the response of a container's or an instance's endpoint.
FoundCredentials read_metadata(std::string_view text);

/// Reads the response of the portal of sign-ins.
FoundCredentials read_role_credentials(std::string_view text);

/// Reads the response of STS to AssumeRole and its relatives, which is XML.
FoundCredentials read_assumed_role(std::string_view text);

/// Returns the code and the message of an error of STS, or of a JSON service; empty if it has none.
std::string read_refusal(std::string_view text);

/// A token in the cache of sign-ins.
struct SignInToken {
  std::string token;
  base::TimePoint expires = {};
};

base::Result<SignInToken, std::string> read_sign_in_token(std::string_view text);

}  // namespace dinette::app
