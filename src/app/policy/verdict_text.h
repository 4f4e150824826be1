#pragma once

#include <string>

#include "dinette/iam/evaluate.h"

namespace dinette::app {

/// Returns a verdict for people to read: what it is, what decides it, and the statement, if there is one.
std::string verdict_text(const iam::Verdict& verdict, const iam::Identity& identity,
                         const iam::Request& request);

}  // namespace dinette::app
