#pragma once

#include "../format.h"

namespace dinette::definitions {

/// What `terraform show -json` writes of a plan or a state, also OpenTofu's.
extern const Format terraform_json_format;

/// A state as Terraform keeps it, version 4.
extern const Format terraform_state_format;

/// A configuration (HCL), as far as it is literal.
extern const TextFormat terraform_configuration_format;

/// The same in Terraform's JSON syntax (*.tf.json), as CDK for Terraform writes it.
extern const Format terraform_json_configuration_format;

/// Returns true if a folder has files of a configuration.
bool is_terraform_module(const std::filesystem::path& folder);

/// Reads the configuration whose files are in a folder, with the values of variables that Terraform itself
/// would find there. `folder`: with Surroundings::read_file.
void read_terraform_module(const Input& folder, Definitions& to);

}  // namespace dinette::definitions
