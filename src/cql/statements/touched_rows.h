#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "cql/data/row_write.h"
#include "cql/schema/place.h"

/// Which rows requests read and write, for the report of requests.
namespace dinette::cql::statements {

/// Notes a row, if the details want keys. `clustering` is empty for a partition; `bytes`: the size of the
/// row, 0 if it does not exist.
void note_row(const Place& place, const schema::Table& table, std::span<const std::string_view> partition,
              std::span<const std::string_view> clustering, std::size_t bytes);

/// Notes the rows that were written.
void note_rows(const Place& place, std::span<const data::RowWrite> writes,
               std::span<const data::WrittenRecord> records);

}  // namespace dinette::cql::statements
