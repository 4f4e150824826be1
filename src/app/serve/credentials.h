#pragma once

#include <string>

#include "dinette/aws/auth_options.h"
#include "dinette/base/result.h"

namespace dinette::app {

/// Reads a file in the format of ~/.aws/credentials:
///
///     [any-name]
///     aws_access_key_id = AKIA...
///     aws_secret_access_key = ...
///     aws_session_token = ...      (optional)
///     aws_account_id = 123456789012  (optional)
///
/// The error is a sentence for the user that names the file and the profile.
base::Result<aws::Credentials, std::string> read_credentials(const std::string& path);

}  // namespace dinette::app
