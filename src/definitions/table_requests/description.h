#pragma once

#include "dinette/definitions/node.h"

namespace dinette::definitions {

/// Returns true if `table` is what DescribeTable answers, not the input of CreateTable.
bool is_description(const Node& table);

/// Returns the input of CreateTable that makes such a table: without status, times, sizes and ARNs, and
/// without throughput of 0, which on-demand tables are described with and clients refuse.
Node create_input_of(const Node& description);

}  // namespace dinette::definitions
