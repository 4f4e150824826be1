#include "tablestore/api/compute_split_points_by_size.h"

#include <algorithm>
#include <limits>

#include "dinette/base/waiting.h"

#include "tablestore/plainbuffer/row_writer.h"
#include "tablestore/rows/row_scan.h"
#include "tablestore/tables/descriptions.h"
#include "tablestore/tables/open_table.h"

// tablestore/tables.md section 8.
namespace dinette::tablestore::ops {
namespace {

constexpr std::int64_t usual_unit_bytes = 100 * 1024 * 1024;

/// Of a part of a table: the service's are hashes of machines, of as many characters.
constexpr std::string_view location = "00000000000000000000000000000000";

Answer<std::size_t> split_bytes_of(const api::ComputeSplitPointsBySizeRequest& request) {
  const std::int64_t unit = request.split_size_unit_in_byte.value_or(usual_unit_bytes);
  if (request.split_size <= 0 || unit <= 0)
    return parameter_invalid("The split size must be greater than 0.");
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  return static_cast<std::size_t>(request.split_size > most / unit ? most : request.split_size * unit);
}

std::size_t points_of(const api::ComputeSplitPointsBySizeRequest& request) {
  const std::int32_t limit = request.split_point_limit.value_or(0);
  return limit > 0 ? static_cast<std::size_t>(limit) : std::numeric_limits<std::size_t>::max();
}

/// Returns the keys of the rows with which a new part begins, because it would not fit into the one before.
Answer<std::vector<std::string>> split_points(const Context& context, const ReadTarget& target,
                                              std::size_t part, std::size_t most) {
  std::vector<std::string> points;
  DINETTE_TABLESTORE_STORED(const store::View view, context.store.view());
  const RowSelection everything;
  DINETTE_TABLESTORE_STORED(RowScan rows, RowScan::open(view, target, {}, store::Direction::forward,
                                                        everything, context.now, nullptr));
  std::size_t size = 0;
  while (points.size() < most) {
    DINETTE_TABLESTORE_STORED(const bool more, rows.next());
    if (!more) break;
    const std::size_t bytes = select(everything, rows.key(), target.options(), rows.cells()).bytes;
    if (size > 0 && bytes > part - size) {
      points.push_back(plainbuffer::encode_key(rows.key()));
      size = 0;
    }
    size += std::min(bytes, part);
  }
  return points;
}

}  // namespace

Answer<api::ComputeSplitPointsBySizeResponse> compute_split_points_by_size(
    const Context& context, api::ComputeSplitPointsBySizeRequest&& request) {
  DINETTE_CHECK(open_table(context, request.table_name));
  DINETTE_TRY(const std::size_t part, split_bytes_of(request));
  if (!base::may_wait()) return must_wait();  // it reads the whole table
  DINETTE_TRY(const ReadTarget target, open_to_read(context, request.table_name));
  api::ComputeSplitPointsBySizeResponse response;
  DINETTE_TRY(response.split_points, split_points(context, target, part, points_of(request)));
  response.schema = described_key(target.key);
  const auto parts = static_cast<std::int64_t>(response.split_points.size() + 1);
  response.locations.push_back({.location = std::string(location), .repeat = parts});
  response.consumed.capacity_unit = {.read = static_cast<std::int32_t>(parts), .write = 0};
  return response;
}

}  // namespace dinette::tablestore::ops
