#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "dynamodb/api/consumed_capacity.h"
#include "dynamodb/api/enums.h"
#include "dynamodb/request/charge.h"
#include "dynamodb/request/context.h"

namespace dinette::dynamodb {

/// Transactions repeat their units as units of reads or of writes (docs/service/capacity.md section 1).
enum class CapacityAxis : std::uint8_t { none, read, write };

/// Tells the gate, if there is one, of a charge that the client does not see. `table_name` as the client
/// wrote it.
void tell_gate(const Context& context, std::string_view table_name, const Charge& charge);

/// Tells the gate of the charge, and returns it as the client wants to see it, if so
/// (docs/service/capacity.md section 1). `table_name` is printed as the client wrote it.
std::optional<api::ConsumedCapacity> consumed_capacity(const Context& context,
                                                       api::ReturnConsumedCapacity wanted,
                                                       std::string_view table_name, const Charge& charge,
                                                       CapacityAxis axis = CapacityAxis::none);

/// Adds the same of one of several tables to the end of `list`.
void add_consumed_capacity(std::optional<std::vector<api::ConsumedCapacity>>& list, const Context& context,
                           api::ReturnConsumedCapacity wanted, std::string_view table_name,
                           const Charge& charge, CapacityAxis axis = CapacityAxis::none);

}  // namespace dinette::dynamodb
