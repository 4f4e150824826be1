#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "dinette/base/result.h"

/// Sizes of rows of Amazon Keyspaces in bytes (docs/service-keyspaces/row-size.md).
namespace dinette::cql {

/// How sizes of rows are counted.
enum class SizeFormula : std::uint8_t {
  earlier,  ///< values as they are on the wire, and metadata of keys (sections 1 to 3)
  current,  ///< the service's later one, with an id per column (section 4)
};

/// The size of a row, or of the static data of a partition, by its parts.
struct RowSize {
  std::size_t partition_key = 0;  ///< with metadata, as the next two
  std::size_t clustering = 0;
  std::size_t values = 0;      ///< of columns outside the key
  std::size_t timestamps = 0;  ///< what timestamps of clients and times to live add
  std::size_t row = 0;         ///< metadata of the whole
  bool row_is_metered = true;  ///< false: units of capacity do not count `row`

  /// Returns what storage and the quota of 1 MB count.
  std::size_t stored() const { return partition_key + clustering + values + timestamps + row; }
  /// Returns what units of capacity count.
  std::size_t metered() const { return stored() - (row_is_metered ? 0 : row); }

  friend bool operator==(const RowSize&, const RowSize&) = default;
};

/// Returns the units of capacity that reading so many metered bytes consumes: one per started 4 KB.
std::uint64_t read_units(std::size_t bytes);
/// Returns the units that writing them consumes: one per started KB, at least one.
std::uint64_t write_units(std::size_t bytes);

struct RowEstimate {
  RowSize row{};
  std::optional<RowSize> statics{};  ///< of its partition, if the row gives some
};

/// Returns the size of a row that is not stored anywhere. `schema`: one CREATE TABLE, after the CREATE TYPEs
/// that it needs, with semicolons between them; their keyspaces do not matter. `row`: as INSERT JSON takes
/// it. The error is a sentence for users.
base::Result<RowEstimate, std::string> estimate_row(std::string_view schema, std::string_view row,
                                                    SizeFormula formula);

}  // namespace dinette::cql
