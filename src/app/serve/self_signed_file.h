#pragma once

#include <ctime>
#include <string>

#include "dinette/base/result.h"
#include "dinette/tcp/self_signed.h"

namespace dinette::app {

/// Creates a certificate in memory. The error is a sentence for the user.
base::Result<tcp::SelfSigned, std::string> create_self_signed(std::time_t now);

/// Returns the certificate of a file and its key, from the file of that name with ".key" added. Creates both
/// if neither is there, and new ones if the certificate is no longer valid at `now`. The error is a sentence
/// for the user.
base::Result<tcp::SelfSigned, std::string> keep_self_signed(const std::string& file, std::time_t now);

}  // namespace dinette::app
