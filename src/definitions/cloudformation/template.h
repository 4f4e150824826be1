#pragma once

#include <map>
#include <string>

#include "definitions/format.h"
#include "reading.h"
namespace dinette::definitions::cloudformation {

/// Returns what the outputs of a template export, as far as that can be evaluated.
std::map<std::string, std::string, std::less<>> exports_of(const Node& root, const Input& input,
                                                           Reading& reading);

}  // namespace dinette::definitions::cloudformation

namespace dinette::definitions {

/// Templates of CloudFormation and SAM, and those that CDK synthesizes.
extern const Format cloudformation_format;

}  // namespace dinette::definitions
