#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "dinette/store/scan.h"

#include "tablestore/rows/read_target.h"

namespace dinette::tablestore {

/// A page of a GetRange (tablestore/range.md section 3).
struct RowPage {
  std::string rows;                 ///< PlainBuffer
  std::optional<std::string> next;  ///< the key of the first row that was not looked at, PlainBuffer
  std::size_t bytes = 0;            ///< that were looked at
};

/// Reads rows in a range of keys until a limit is reached: as many as `most`, 5,000, or 4 MB of them.
/// `pending`: null, or rows of a transaction.
Answer<RowPage> read_page(const Context& context, const ReadTarget& target, const store::KeyRange& range,
                          store::Direction direction, const RowSelection& selection, std::size_t most,
                          const PendingRows* pending);

/// Reads one row: PlainBuffer, empty if there is none for the client. Adds what it has read to `bytes`.
Answer<std::string> read_row(const Context& context, const ReadTarget& target, const PrimaryKey& key,
                             const RowSelection& selection, const PendingRows* pending, std::size_t& bytes);

}  // namespace dinette::tablestore
