#pragma once

#include <memory>
#include <string>

#include "dinette/base/result.h"
#include "dinette/iam/identities.h"

namespace dinette::app {

/// Reads the file of --iam (docs/policies.md). The error is a sentence for the user that names the file.
base::Result<std::shared_ptr<const iam::Identities>, std::string> read_identities(const std::string& path);

}  // namespace dinette::app
