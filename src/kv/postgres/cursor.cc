#include <algorithm>
#include <utility>

#include "kv/postgres/reads.h"

namespace dinette::kv::postgres {
namespace {

constexpr std::size_t first_page = 64;  // entries
constexpr std::size_t largest_page = 1024;
constexpr std::size_t page_bytes = 1 << 20;  // about so many

/// Holds a run of entries that follow each other, and reads the next one where it ends.
class PostgresCursor final : public Cursor {
 public:
  PostgresCursor(std::shared_ptr<const ReadSource> source, std::int64_t world, Range range)
      : source_(std::move(source)), world_(world), begin_(range.begin) {
    if (!range.end.empty()) end_ = range.end;
  }

  Result<bool> first() override { return seek(begin_); }
  Result<bool> last() override {
    valid_ = false;
    if (ends_range_ && !run_.empty()) return go(run_.size() - 1);
    return read_down(end_);
  }
  Result<bool> seek(std::string_view key) override {
    valid_ = false;
    if (key < begin_) key = begin_;
    const std::size_t found = index_of(std::ranges::lower_bound(run_, key, {}, &Entry::key));
    const bool is_next = found > 0 || (begins_range_ && !run_.empty());
    if (found < run_.size() && (is_next || run_[found].key == key)) return go(found);
    if (found == run_.size() && ends_range_ && is_next) return false;
    return read_up(std::string(key));
  }
  Result<bool> seek_for_previous(std::string_view key) override {
    valid_ = false;
    if (end_ && key >= *end_) return last();
    const std::size_t after = index_of(std::ranges::upper_bound(run_, key, {}, &Entry::key));
    const bool is_previous = after < run_.size() || (ends_range_ && !run_.empty());
    if (after > 0 && (is_previous || run_[after - 1].key == key)) return go(after - 1);
    if (after == 0 && begins_range_ && is_previous) return false;
    return read_down(std::string(key) + '\0');
  }
  Result<bool> next() override {
    if (!std::exchange(valid_, false)) return false;
    if (at_ + 1 < run_.size()) return go(at_ + 1);
    if (ends_range_) return false;
    return read_up(std::move(run_[at_].key) + '\0');
  }
  Result<bool> previous() override {
    if (!std::exchange(valid_, false)) return false;
    if (at_ > 0) return go(at_ - 1);
    if (begins_range_) return false;
    return read_down(std::move(run_[at_].key));
  }

  bool valid() const override { return valid_; }
  std::string_view key() const override { return run_[at_].key; }
  std::string_view value() const override { return run_[at_].value.view(); }
  Value shared_value() const override { return run_[at_].value; }

 private:
  std::size_t index_of(std::vector<Entry>::const_iterator position) const {
    return static_cast<std::size_t>(position - run_.begin());
  }
  Result<bool> go(std::size_t index) {
    at_ = index;
    return valid_ = true;
  }

  Result<bool> read_up(std::string from) {
    run_.clear();
    DINETTE_TRY(Page page, read_page(*source_, world_, Direction::up, from, end_, limit_));
    begins_range_ = from <= begin_;
    ends_range_ = page.complete;
    take(std::move(page));
    return run_.empty() ? Result<bool>(false) : go(0);
  }
  Result<bool> read_down(std::optional<std::string> to) {
    run_.clear();
    DINETTE_TRY(Page page, read_page(*source_, world_, Direction::down, begin_, to, limit_));
    ends_range_ = to == end_;
    begins_range_ = page.complete;
    std::ranges::reverse(page.entries);
    take(std::move(page));
    return run_.empty() ? Result<bool>(false) : go(run_.size() - 1);
  }
  /// The next page is longer if entries are small.
  void take(Page page) {
    run_ = std::move(page.entries);
    std::size_t bytes = 1;
    for (const Entry& entry : run_) bytes += entry.key.size() + entry.value.size();
    const std::size_t fitting = page_bytes * std::max<std::size_t>(run_.size(), 1) / bytes;
    limit_ = std::clamp<std::size_t>(std::min(limit_ * 2, fitting), 1, largest_page);
  }

  const std::shared_ptr<const ReadSource> source_;
  const std::int64_t world_;
  const std::string begin_;
  std::optional<std::string> end_;

  std::vector<Entry> run_;     ///< in ascending order
  bool begins_range_ = false;  ///< no entry of the range comes before the run; false if it is empty
  bool ends_range_ = false;
  std::size_t at_ = 0;
  bool valid_ = false;
  std::size_t limit_ = first_page;
};

}  // namespace

std::unique_ptr<Cursor> make_cursor(std::shared_ptr<const ReadSource> source, std::int64_t world,
                                    Range range) {
  return std::make_unique<PostgresCursor>(std::move(source), world, range);
}

}  // namespace dinette::kv::postgres
