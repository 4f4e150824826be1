#pragma once

#include <string_view>
#include <utility>

#include "tablestore/request/context.h"
#include "tablestore/tables/open_table.h"

namespace dinette::tablestore {

/// What a table that is missing fails: the request, or its rows in a batch, which get another error
/// (tablestore/batch.md section 2).
enum class MissingTable : bool { fails_request, fails_rows };

/// Returns the error for it. No other has the code of the one for rows.
[[gnu::cold]] base::Failure<ApiError> missing_table(MissingTable missing);

/// Opens a table for writes of rows. Fails for the name of an index (tablestore/indexes.md section 5).
Answer<OpenTable> open_to_write(const Context& context, std::string_view name,
                                MissingTable missing = MissingTable::fails_request);

/// Opens the table and runs `attempt(table)`, which returns an Answer<std::optional<Output>>; if that is
/// empty, the table was altered between opening and writing, and the attempt is repeated on its new version.
template <class Attempt>
auto write_to_table(const Context& context, std::string_view name, Attempt attempt)
    -> Answer<typename decltype(attempt(std::declval<const OpenTable&>()))::value_type::value_type> {
  for (;;) {
    DINETTE_TRY(const OpenTable table, open_to_write(context, name));
    DINETTE_TRY(auto output, attempt(table));
    if (output) return *std::move(output);
  }
}

}  // namespace dinette::tablestore
