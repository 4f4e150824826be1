#pragma once

#include "../format.h"

namespace dinette::definitions {

/// What `terraform show -json` writes of a plan or a state, also OpenTofu's.
extern const Format terraform_json_format;

/// A state as Terraform keeps it, version 4.
extern const Format terraform_state_format;

/// A configuration (HCL), as far as it is literal.
extern const TextFormat terraform_configuration_format;

}  // namespace dinette::definitions
