#include "cql/data/apply_change.h"

#include <algorithm>
#include <utility>

#include "dinette/base/bytes.h"

namespace dinette::cql::data {
namespace {

using ChangeKind = CellChange::Kind;

constexpr std::int64_t microseconds = 1'000'000;

std::int64_t number_in(std::string_view bytes) {
  if (bytes.size() != sizeof(std::int64_t)) return 0;
  return static_cast<std::int64_t>(base::load_big_endian<std::uint64_t>(bytes.data()));
}

std::string bytes_of_number(std::int64_t number) {
  std::string bytes;
  base::append_big_endian(bytes, static_cast<std::uint64_t>(number));
  return bytes;
}

/// Returns the cells of a column that are elements.
auto elements_of(const Cells& cells, std::uint32_t column) {
  const auto before = [](const Cell& cell, std::uint32_t id) { return cell.column < id; };
  auto first = std::lower_bound(cells.begin(), cells.end(), column, before);
  while (first != cells.end() && first->column == column && first->kind == Cell::Kind::all_elements) ++first;
  auto last = first;
  while (last != cells.end() && last->column == column) ++last;
  return std::pair(first, last);
}

}  // namespace

Answer<void> ChangeWriter::apply(const CellChange& change) {
  switch (change.kind) {
    case ChangeKind::put:
      put(change, change.path, change.key, change.value);
      return {};
    case ChangeKind::erase:
      erase(change, change.path);
      return {};
    case ChangeKind::erase_all:
      erase_all(change);
      return {};
    case ChangeKind::append:
    case ChangeKind::prepend:
      add_to_list(change);
      return {};
    case ChangeKind::put_at: {
      DINETTE_TRY(const Cell* const element, element_at(change));
      put(change, element->path, {}, change.value);
      return {};
    }
    case ChangeKind::erase_at: {
      DINETTE_TRY(const Cell* const element, element_at(change));
      erase(change, element->path);
      return {};
    }
    case ChangeKind::erase_equal:
      erase_equal(change);
      return {};
    case ChangeKind::add:
      add(change);
      return {};
  }
  return {};
}

void ChangeWriter::put(const CellChange& change, std::string_view path, std::string_view key,
                       std::string_view value) {
  const Cell cell{
      .column = change.column->id, .stamp = write_.stamp, .path = path, .key = key, .value = value};
  put_cell(cells_, cell, hidden_by_, write_.rules);
}

void ChangeWriter::erase(const CellChange& change, std::string_view path) {
  const Cell tombstone{.column = change.column->id,
                       .kind = Cell::Kind::tombstone,
                       .stamp = {.timestamp = write_.stamp.timestamp},
                       .made = write_.rules.now,
                       .path = path};
  put_cell(cells_, tombstone, hidden_by_, write_.rules);
}

void ChangeWriter::erase_all(const CellChange& change) {
  const Timestamp timestamp = write_.stamp.timestamp - (change.replaces ? 1 : 0);
  delete_elements(cells_, change.column->id, {timestamp, write_.rules.now}, hidden_by_, write_.rules);
}

/// Elements of a list are ordered by the time when they were appended, in microseconds, and each is after the
/// one before it.
void ChangeWriter::add_to_list(const CellChange& change) {
  const auto [first, last] = elements_of(cells_, change.column->id);
  const auto count = static_cast<std::int64_t>(change.values.size());
  std::int64_t next = write_.rules.now * microseconds;
  if (change.kind == ChangeKind::append) {
    if (first != last) next = std::max(next, number_in(std::prev(last)->path) + 1);
  } else {
    if (first != last) next = std::min(next, number_in(first->path));
    next -= count;
  }
  for (const std::string& value : change.values) put(change, keep(bytes_of_number(next++)), {}, value);
}

Answer<const Cell*> ChangeWriter::element_at(const CellChange& change) const {
  const auto [first, last] = elements_of(visible_, change.column->id);
  if (first == last) {
    return invalid(change.kind == ChangeKind::put_at
                       ? "Attempted to set an element on a list which is null"
                       : "Attempted to delete an element from a list which is null");
  }
  if (change.number < 0 || change.number >= last - first) {
    return invalid("List index " + std::to_string(change.number) + " out of bound, list has size " +
                   std::to_string(last - first));
  }
  return &*(first + change.number);
}

void ChangeWriter::erase_equal(const CellChange& change) {
  const auto [first, last] = elements_of(visible_, change.column->id);
  for (auto element = first; element != last; ++element) {
    const auto found = std::ranges::find(change.values, element->value);
    if (found != change.values.end()) erase(change, element->path);
  }
}

void ChangeWriter::add(const CellChange& change) {
  const auto same = [&](const Cell& cell) { return cell.column == change.column->id; };
  const auto cell = std::ranges::find_if(cells_, same);
  const std::int64_t before = cell == cells_.end() ? 0 : number_in(cell->value);
  const auto sum = static_cast<std::uint64_t>(before) + static_cast<std::uint64_t>(change.number);
  put(change, {}, {}, keep(bytes_of_number(static_cast<std::int64_t>(sum))));
}

}  // namespace dinette::cql::data
