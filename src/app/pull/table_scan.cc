#include "app/pull/table_scan.h"

#include <algorithm>
#include <cmath>

#include "dinette/aws/json_writer.h"
#include "dinette/dynamodb/item_files/answers.h"

namespace dinette::app {
namespace {

using base::Failure;
using std::chrono::milliseconds;

constexpr std::uint64_t most_sample_segments = 100;
constexpr std::uint64_t first_paced_items = 50;     ///< while it is not known what an item costs
constexpr std::uint64_t filtered_page_items = 250;  ///< of a sample: a filter leaves few of them
constexpr double most_page_units = 1000;            ///< a page of a megabyte costs 128, or 256
constexpr milliseconds wait_slice{200};             ///< how long an interrupt may go unnoticed

std::uint64_t least_limit(std::uint64_t a, std::uint64_t b) {
  if (a == 0 || b == 0) return std::max(a, b);
  return std::min(a, b);
}

}  // namespace

std::uint64_t ReadPace::items_per_request() const {
  if (rate_ == 0) return 0;
  if (units_per_item_ == 0) return first_paced_items;
  return static_cast<std::uint64_t>(std::clamp(rate_ / units_per_item_, 1.0, 1e6));
}

void ReadPace::wait(const Patience& patience) {
  if (rate_ == 0) return;
  auto owed = std::chrono::ceil<milliseconds>(ready_ - Clock::now());
  while (owed > milliseconds(0) && !patience.interrupted()) {
    const milliseconds slice = std::min(owed, wait_slice);
    patience.wait(slice);
    owed -= slice;
  }
}

void ReadPace::consumed(double units, std::uint64_t items) {
  if (rate_ == 0) return;
  units = std::clamp(units, 0.0, most_page_units);  // whatever the source says
  if (items > 0 && units > 0) units_per_item_ = units / static_cast<double>(items);
  const std::chrono::duration<double> cost(units / rate_);
  ready_ = std::max(ready_, Clock::now()) + std::chrono::duration_cast<Clock::duration>(cost);
}

TableScan::TableScan(const TableSource& source, std::string table, const ScanWish& wish,
                     PullProgress& progress)
    : source_(source), table_(std::move(table)), wish_(wish), progress_(progress), pace_(wish.rate) {
  const std::uint64_t segments = wish.sample == 0 ? 1 : std::min(wish.sample, most_sample_segments);
  if (progress_.segments.empty()) progress_.segments.resize(segments);
}

/// Returns how many items are wanted; 0: all.
std::uint64_t TableScan::wanted() const {
  return least_limit(wish_.limit, wish_.sample);
}

/// Returns the segment of which least has been read; null if all have been read.
ReadSegment* TableScan::next_segment() const {
  ReadSegment* found = nullptr;
  for (ReadSegment& one : progress_.segments) {
    if (!one.done && (found == nullptr || one.pages < found->pages)) found = &one;
  }
  return found;
}

/// Returns how many items the next page should bring; 0: any number.
std::uint64_t TableScan::page_items() const {
  if (wanted() == 0) return 0;
  const std::uint64_t missing = wanted() - progress_.items;
  if (wish_.sample == 0) return missing;
  return std::min(missing, (wish_.sample + progress_.segments.size() - 1) / progress_.segments.size());
}

std::string TableScan::request_of(const ReadSegment& segment) const {
  std::string request = R"({"TableName":)";
  aws::append_json_string(request, table_);
  std::uint64_t limit = page_items();
  if (wish_.where) limit = wish_.sample > 0 ? std::max(limit, filtered_page_items) : 0;
  limit = least_limit(limit, pace_.items_per_request());
  if (limit > 0) request += R"(,"Limit":)" + std::to_string(std::min<std::uint64_t>(limit, 1'000'000));
  if (wish_.where) aws::append_json_string(request += R"(,"FilterExpression":)", wish_.where->expression);
  if (wish_.where && !wish_.where->names.empty())
    request += R"(,"ExpressionAttributeNames":)" + wish_.where->names;
  if (wish_.where && !wish_.where->values.empty())
    request += R"(,"ExpressionAttributeValues":)" + wish_.where->values;
  if (progress_.segments.size() > 1) {
    request += R"(,"Segment":)" + std::to_string(&segment - progress_.segments.data());
    request += R"(,"TotalSegments":)" + std::to_string(progress_.segments.size());
  }
  if (!segment.start.empty()) request += R"(,"ExclusiveStartKey":)" + segment.start;
  return request + R"(,"ReturnConsumedCapacity":"TOTAL"})";
}

base::Result<std::optional<std::vector<std::string_view>>, std::string> TableScan::next() {
  using Page = std::optional<std::vector<std::string_view>>;
  ReadSegment* const segment = next_segment();
  if (segment == nullptr || (wanted() > 0 && progress_.items >= wanted())) return Page();
  pace_.wait(source_.patience());
  auto output = source_.read(ReadingOperation::scan, request_of(*segment));
  if (!output) return Failure{output.error().message};
  page_ = std::move(output).value();
  DINETTE_TRY(auto page, dynamodb::item_files::read_scan_page(page_));
  pace_.consumed(page.capacity_units, page.scanned);
  if (const std::uint64_t most = page_items(); most > 0 && page.items.size() > most) page.items.resize(most);
  segment->start = page.last_key;
  segment->done = page.last_key.empty();
  ++segment->pages;
  progress_.items += page.items.size();
  return Page(std::move(page.items));
}

}  // namespace dinette::app
