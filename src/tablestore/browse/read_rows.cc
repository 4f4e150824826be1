#include <algorithm>
#include <limits>
#include <utility>

#include "dinette/base/ascii.h"
#include "dinette/tablestore/browse.h"

#include "tablestore/api/get_range.h"
#include "tablestore/api/refusals.h"
#include "tablestore/browse/bound.h"
#include "tablestore/browse/browsed.h"
#include "tablestore/plainbuffer/row_reader.h"
#include "tablestore/request/names.h"
#include "tablestore/rows/read_target.h"

namespace dinette::tablestore {

base::Failure<BrowseRefusal> browse::refusal_of(const ApiError& error) {
  return {BrowseRefusal{error.status(), std::string(error.name()), error.message}};
}

namespace {

BrowsedValue browsed(const Value& value) {
  switch (value.type()) {
    case ValueType::integer:
      return value.as_integer();
    case ValueType::real:
      return value.as_real();
    case ValueType::boolean:
      return value.as_boolean();
    case ValueType::binary:
      return BinaryValue{std::string(value.bytes())};
    default:
      return std::string(value.bytes());
  }
}

BrowsedRow browsed(const RowMessage& row) {
  BrowsedRow out;
  for (const KeyColumn& column : row.key)
    out.key.push_back({std::string(column.name), browsed(column.value)});
  for (const CellChange& cell : row.cells)
    out.cells.push_back(
        {std::string(cell.name), cell.version.value_or(0), browsed(cell.value.value_or(Value()))});
  return out;
}

Answer<std::vector<BrowsedRow>> decode_rows(std::string_view bytes) {
  std::vector<BrowsedRow> rows;
  plainbuffer::RowReader in(bytes);
  while (!in.at_end()) {
    DINETTE_TRY(const RowMessage row, in.read());
    rows.push_back(browsed(row));
  }
  return rows;
}

/// The bounds of a GetRange, as a request has them.
struct Range {
  std::string start;
  std::string end;
};

/// A bound of fewer columns than the key takes in all rows that begin with these.
Answer<Range> range_of(const Context& context, const RowQuestion& question) {
  DINETTE_TRY(const ReadTarget target, open_to_read(context, question.table));
  const Value least = Value::inf_min();
  const Value greatest = Value::inf_max();
  const auto& [before, after] = question.backward ? std::pair(greatest, least) : std::pair(least, greatest);
  DINETTE_TRY(const browse::Bound end, browse::Bound::read(question.end, target.key, after));
  if (!question.next.empty()) return Range{question.next, end.encode()};
  DINETTE_TRY(const browse::Bound start, browse::Bound::read(question.begin, target.key, before));
  return Range{start.encode(), end.encode()};
}

Answer<RowAnswer> answer(const Context& context, const RowQuestion& question) {
  DINETTE_TRY(const Range range, range_of(context, question));
  api::GetRangeRequest request{
      .table_name = question.table,
      .direction = question.backward ? api::Direction::backward : api::Direction::forward,
      .max_versions = question.max_versions.value_or(std::numeric_limits<std::int32_t>::max()),
      .limit = question.limit,
      .inclusive_start_primary_key = range.start,
      .exclusive_end_primary_key = range.end};
  if (question.time_range)
    request.time_range = {.start_time = question.time_range->first, .end_time = question.time_range->second};
  DINETTE_TRY(api::GetRangeResponse response, ops::get_range(context, std::move(request)));
  RowAnswer out;
  DINETTE_TRY(out.rows, decode_rows(response.rows));
  out.next = std::move(response.next_start_primary_key);
  return out;
}

}  // namespace

Browsed<RowAnswer> read_rows(tenancy::World& world, const RowQuestion& question) {
  if (!is_instance_name(question.instance))
    return browse::refusal_of(refuse::invalid_instance_name(question.instance).error());
  std::string instance(question.instance);
  std::ranges::transform(instance, instance.begin(), base::to_lower);
  const auto store = world.store(face_id, instance);
  const Switches switches;
  auto answered =
      answer({.world = world, .store = *store, .now = world.clock().now(), .switches = switches}, question);
  if (!answered) return browse::refusal_of(answered.error());
  return *std::move(answered);
}

}  // namespace dinette::tablestore
