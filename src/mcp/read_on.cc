#include "mcp/read_on.h"

#include <algorithm>
#include <utility>

namespace dinette::mcp {
namespace {

// A service's page has a megabyte at most, however many items are asked for.
constexpr std::size_t most_items_asked = 10'000;
constexpr std::size_t growth = 4;

template <class Number>
void add_to(std::optional<Number>& sum, const std::optional<Number>& more) {
  if (more) sum = sum.value_or(0) + *more;
}

void add_explanation(Json& sum, Json more) {
  if (!more.is_object()) return;
  if (sum.is_null()) {
    sum = std::move(more);
    return;
  }
  for (const char* name : {"ScannedCount", "Count", "CapacityUnits"}) {
    if (!sum.contains(name) || !more.contains(name)) continue;
    if (sum[name].is_number_unsigned() && more[name].is_number_unsigned())
      sum[name] = sum[name].get<std::uint64_t>() + more[name].get<std::uint64_t>();
    else if (sum[name].is_number() && more[name].is_number())
      sum[name] = sum[name].get<double>() + more[name].get<double>();
  }
}

/// The items of a result, as long as there is room.
class Room {
 public:
  Room(Json& results, std::size_t limit) : results_(results), limit_(limit) {}

  bool is_full() const { return results_.size() == limit_; }

  /// Returns false if there is no room for the item.
  bool add(Json item) {
    bytes_ += text_of(item).size();
    if (is_full() || (bytes_ > most_result_bytes && !results_.empty())) return false;
    results_.push_back(std::move(item));
    return true;
  }

 private:
  Json& results_;
  const std::size_t limit_;
  std::size_t bytes_ = 0;
};

}  // namespace

base::Result<FoundItems, std::string> read_on(const PageStart& start, std::size_t limit,
                                              const ReadServicePage& read) {
  FoundItems found;
  Room room(found.page.results, limit);
  PageStart at = start;
  std::size_t asked = std::min(limit + std::min(start.skipped, most_items_asked), most_items_asked);
  for (int pages = 1;; ++pages) {
    DINETTE_TRY(ServicePage page, read(at.service, asked));
    add_to(found.units, page.units);
    add_to(found.looked_at, page.looked_at);
    add_explanation(found.explanation, std::move(page.explanation));
    for (std::size_t i = at.skipped; i < page.items.size(); ++i) {
      if (room.add(std::move(page.items[i]))) continue;
      found.page.next = PageStart{at.service, i};
      return found;
    }
    if (page.next.is_null()) return found;
    at = {std::move(page.next), at.skipped - std::min(at.skipped, page.items.size())};
    found.stopped = pages == most_pages_read || found.looked_at.value_or(0) >= most_looked_at;
    if (room.is_full()) found.stopped = false;
    if (room.is_full() || found.stopped) {
      found.page.next = std::move(at);
      return found;
    }
    asked = std::min(asked * growth, most_items_asked);
  }
}

}  // namespace dinette::mcp
