#pragma once

#include <compare>
#include <string>
#include <string_view>

#include "dinette/store/key_codec.h"

#include "cql/types/type.h"

namespace dinette::cql {

/// Appends bytes that compare as values of the type do in clustering columns
/// (docs/service-keyspaces/types.md section 1). No encoding is a prefix of another one of the type. `value`
/// is one that check_value accepts. The value cannot always be read from the encoding: 1.0 and 1.00 are the
/// same key. Durations and counters, which cannot be keys, are ordered by their bytes.
void append_key(std::string& out, const Type& type, std::string_view value,
                store::Order order = store::Order::ascending);

/// Compares two values that check_value accepts.
std::strong_ordering compare_values(const Type& type, std::string_view a, std::string_view b);

}  // namespace dinette::cql
