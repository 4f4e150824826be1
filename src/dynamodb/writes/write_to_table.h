#pragma once

#include <string_view>
#include <utility>

#include "dynamodb/request/context.h"
#include "dynamodb/tables/open_table.h"

namespace dinette::dynamodb {

/// Opens the table and runs `attempt(table)`, which returns an Answer<std::optional<Output>>; if that is
/// empty, the table was altered between opening and writing, and the attempt is repeated on its new version.
/// Table changes are rare: no request stays here for long.
template <class Attempt>
auto write_to_table(const Context& context, std::string_view name_or_arn, Attempt attempt)
    -> Answer<typename decltype(attempt(std::declval<const OpenTable&>()))::value_type::value_type> {
  for (;;) {
    DINETTE_TRY(const OpenTable table, open_to_write(context, name_or_arn));
    DINETTE_TRY(auto output, attempt(table));
    if (output) return *std::move(output);
  }
}

}  // namespace dinette::dynamodb
