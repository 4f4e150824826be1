#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dinette/definitions/node.h"

namespace dinette::app {

/// An operation with its input.
struct PlannedCall {
  std::string operation;
  definitions::Node input;
};

/// Returns the calls that make the table `there` the one that is `wanted`, both in their normal form and of
/// one name, in the order in which they must be made, each when the table and its indexes are active again.
/// Their differences must not need a new table. `arn`: the table's.
std::vector<PlannedCall> plan_update(const definitions::Node& there, const definitions::Node& wanted,
                                     std::string_view arn);

}  // namespace dinette::app
