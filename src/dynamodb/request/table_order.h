#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace dinette::dynamodb {

/// Returns the positions of `names`, which differ, in the order in which the service lists tables in
/// ConsumedCapacity: that of a Java HashMap with these keys (docs/service/capacity.md section 3).
std::vector<std::size_t> order_of_tables(std::span<const std::string_view> names);

}  // namespace dinette::dynamodb
