#pragma once

#include "../format.h"

namespace dinette::definitions {

/// Inputs of CreateTable and answers of DescribeTable, one or several, in JSON or YAML.
extern const Format table_requests_format;

}  // namespace dinette::definitions
