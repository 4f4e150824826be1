#include "kv/postgres/folded_batch.h"

#include <algorithm>

#include "dinette/base/bytes.h"

#include "kv/postgres/keys.h"

namespace dinette::kv::postgres {
namespace {

using Change = WriteBatch::Change;
using Point = FoldedBatch::Point;

std::vector<std::uint64_t> numbers_in(std::string_view increments) {
  std::vector<std::uint64_t> numbers;
  for (; !increments.empty(); increments.remove_prefix(sizeof(std::uint64_t)))
    numbers.push_back(base::load_big_endian<std::uint64_t>(increments.data()));
  return numbers;
}

void add(FoldedBatch& folded, const Change& change) {
  const auto [found, is_new] = folded.points.try_emplace(std::string(change.key));
  Point& point = found->second;
  const std::vector<std::uint64_t> increments = numbers_in(change.end);
  if (is_new) {
    point = {.kind = Point::Kind::add, .increments = increments};
  } else if (point.kind == Point::Kind::add) {
    point.increments.resize(std::max(point.increments.size(), increments.size()));
    for (std::size_t i = 0; i < increments.size(); ++i) point.increments[i] += increments[i];
  } else {
    point = {.value = add_counters(point.value, change.end)};
  }
}

void erase_range(FoldedBatch& folded, Range range) {
  if (!range.end.empty() && range.end <= range.begin) return;
  const auto begin = folded.points.lower_bound(range.begin);
  const auto end = range.end.empty() ? folded.points.end() : folded.points.lower_bound(range.end);
  folded.points.erase(begin, end);
  folded.ranges.push_back(range);

  std::erase_if(folded.appends, [&](const FoldedBatch::Append& append) {
    const std::string after = base::prefix_end(append.prefix);  // of all its keys; empty: nothing is
    const bool all =
        range.begin <= append.prefix && (range.end.empty() || (!after.empty() && after <= range.end));
    const bool none =
        (!after.empty() && after <= range.begin) || (!range.end.empty() && range.end <= append.prefix);
    if (!all && !none) folded.needs_number = true;
    return all;
  });
}

void append(FoldedBatch& folded, const Change& change) {
  if (is_cut_within(change.key, CommitPosition::encoded_size)) folded.needs_number = true;
  folded.appends.push_back(
      {change.key, base::load_big_endian<std::uint32_t>(change.end.data()), *change.value});
}

}  // namespace

bool FoldedBatch::erases() const {
  return !ranges.empty() || std::ranges::any_of(points, [](const auto& entry) {
    return entry.second.kind == Point::Kind::erase;
  });
}

FoldedBatch fold(const WriteBatch& batch, std::optional<CommitNumber> number) {
  FoldedBatch folded;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const Change change = batch[i];
    switch (change.kind) {
      case WriteBatch::Kind::put:
        folded.points.insert_or_assign(std::string(change.key), Point{.value = *change.value});
        break;
      case WriteBatch::Kind::put_in_commit_order:
        if (number) {
          folded.points.insert_or_assign(key_in_commit_order(change, *number), Point{.value = *change.value});
        } else {
          append(folded, change);
        }
        break;
      case WriteBatch::Kind::erase:
        folded.points.insert_or_assign(std::string(change.key), Point{.kind = Point::Kind::erase});
        break;
      case WriteBatch::Kind::erase_range:
        erase_range(folded, {change.key, change.end});
        break;
      case WriteBatch::Kind::add:
        add(folded, change);
        break;
    }
  }
  return folded;
}

}  // namespace dinette::kv::postgres
