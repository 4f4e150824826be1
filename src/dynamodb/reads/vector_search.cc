#include "dynamodb/reads/vector_search.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "dynamodb/codec/attribute_cursor.h"
#include "dynamodb/codec/record_layout.h"
#include "dynamodb/indexes/vector_entry.h"

namespace dinette::dynamodb {
namespace {

/// The best of the entries that were offered, as a heap with the worst of them on top.
class BestHits {
 public:
  explicit BestHits(std::size_t most) : most_(most) { hits_.reserve(most + 1); }

  void offer(float rank, float score, const store::RowCursor& entry) {
    const std::uint64_t place = offered_++;
    if (hits_.size() == most_ && rank >= hits_.front().rank) return;
    hits_.push_back({rank, place, {score, entry.shared_value()}});
    std::push_heap(hits_.begin(), hits_.end(), is_better);
    if (hits_.size() <= most_) return;
    std::pop_heap(hits_.begin(), hits_.end(), is_better);
    hits_.pop_back();
  }

  std::vector<VectorHit> take() && {
    std::sort_heap(hits_.begin(), hits_.end(), is_better);
    std::vector<VectorHit> best;
    for (Ranked& one : hits_) best.push_back(std::move(one.hit));
    return best;
  }

 private:
  struct Ranked {
    float rank;
    std::uint64_t place;  ///< in the index
    VectorHit hit;
  };

  static bool is_better(const Ranked& a, const Ranked& b) {
    return a.rank != b.rank ? a.rank < b.rank : a.place < b.place;
  }

  const std::size_t most_;
  std::uint64_t offered_ = 0;
  std::vector<Ranked> hits_;
};

bool passes(std::string_view record, const std::vector<InlineFilter>& filters) {
  codec::AttributeCursor attribute(record);
  return std::ranges::all_of(filters, [&](const InlineFilter& filter) {
    return attribute.next_from(filter.attribute) && attribute.name() == filter.attribute &&
           attribute.value() == filter.value;
  });
}

}  // namespace

Answer<std::vector<VectorHit>> search(const store::View& view, const store::Table& table,
                                      const VectorQuery& query) {
  DINETTE_STORED(store::RowCursor entries, view.scan(table, store::Area::of_index(query.index.id),
                                                     query.range, store::Direction::forward));
  BestHits best(query.most);
  for (;;) {
    DINETTE_STORED(const bool more, entries.next());
    if (!more) break;
    const VectorEntry entry = parts_of(*query.index.vector, entries.value());
    if (!codec::is_record(entry.record)) return storage_failure(codec::corrupt_record());
    if (!query.filters.empty() && !passes(entry.record, query.filters)) continue;
    const float score = query.distance.score(entry.floats);
    best.offer(query.distance.rank(score), score, entries);
  }
  return std::move(best).take();
}

std::size_t work_of_search(const IndexSchema& index, std::int64_t entries) {
  constexpr std::size_t units_per_entry = 8;
  constexpr std::size_t dimensions_per_unit = 32;
  return static_cast<std::size_t>(entries) *
         (units_per_entry + index.vector->dimensions / dimensions_per_unit);
}

}  // namespace dinette::dynamodb
