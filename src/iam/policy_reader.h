#pragma once

#include <string>

#include "dinette/aws/json_tree.h"
#include "dinette/base/result.h"
#include "dinette/iam/policy.h"

namespace dinette::iam {

/// Levels of nesting in a document. A policy needs six: document, statements, statement, condition, operator,
/// values.
inline constexpr std::size_t policy_levels = 8;

/// Reads a document that is part of another one. See read_policy().
base::Result<Policy, std::string> policy_of(const aws::JsonTree& document, PolicyUse use);

}  // namespace dinette::iam
