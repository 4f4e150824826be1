#pragma once

#include <string_view>
#include <vector>

namespace dinette::dynamodb::partiql {

/// Puts names, each there once, into the order in which a Java HashSet of them is walked: the service prints
/// some lists so (docs/service/partiql.md section 6).
void put_in_hash_order(std::vector<std::string_view>& names);

}  // namespace dinette::dynamodb::partiql
