#include "dinette/deliveries/delivery.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <utility>

#include "dinette/base/crc32.h"

namespace dinette::deliveries {
namespace {

using base::TimePoint;
using std::chrono::milliseconds;

/// Before the first repetition of a try; doubled for each further one.
constexpr milliseconds first_pause{250};
constexpr milliseconds longest_pause{60'000};
/// The same while there is no try at all, because the target cannot be reached.
constexpr milliseconds longest_pause_of_unavailable{5'000};
/// Records that are passed over in a step, at most, before others get their turn.
constexpr std::size_t most_passed_over = 10'000;
/// The records of an ended window may still be on their way to the stream.
constexpr std::chrono::seconds grace_of_windows{1};

milliseconds pause_after(int tries, milliseconds longest) {
  milliseconds pause = first_pause;
  for (int i = 1; i < tries && pause < longest; ++i) pause *= 2;
  return std::min(pause, longest);
}

TumblingWindow window_of(TimePoint moment, std::chrono::seconds length) {
  const auto since_epoch = std::chrono::floor<std::chrono::seconds>(moment.time_since_epoch());
  const TimePoint begin(since_epoch - since_epoch % length);
  return {.begin = begin, .end = begin + length};
}

}  // namespace

unsigned part_of(std::string_view key, unsigned parts) {
  return parts == 1 ? 0 : base::crc32c(key) % parts;
}

class Delivery::Impl {
 public:
  explicit Impl(DeliverySettings settings)
      : settings_(std::move(settings)), progress_(settings_.progress), read_(progress_.after) {}

  kv::Result<Pause> step(const std::stop_token& stop) {
    passed_over_ = 0;
    for (;;) {
      if (stop.stop_requested()) return Pause{Pause::Until::woken};
      if (!settings_.continues()) return Pause::done();
      DINETTE_TRY(const std::optional<Pause> pause, work_.empty() ? gather() : deliver(stop));
      if (pause) return *pause;
    }
  }

 private:
  /// Records that are delivered together.
  struct Work {
    std::string id;
    std::vector<Record> records;
    int tries = 0;
  };

  // Each returns when to continue; nothing: at once.
  kv::Result<std::optional<Pause>> gather();
  kv::Result<std::optional<Pause>> deliver(const std::stop_token& stop);
  kv::Result<std::optional<Pause>> wait();
  kv::Result<std::optional<Pause>> finish_window();
  kv::Result<std::optional<Pause>> note_failure();

  kv::Result<void> read_more();
  void take(Record&& record);
  bool is_full() const;
  bool is_due() const;
  void make_batch();
  kv::Result<void> finish_work(std::string after, const std::string& state);
  kv::Result<void> advance(std::string after);
  kv::Result<bool> discard_old(Work& work);
  kv::Result<std::string> last_removed(const Work& work);
  kv::Result<bool> is_old_window(const Work& work);
  void give_up(const Work& work, Discard why);
  bool is_too_old(const Record& record) const;
  /// Returns false for work whose records have just been read.
  bool is_repetition(const Work& work) const { return work.tries != 0 || unavailable_ != 0; }
  bool belongs(const Record& record) const;
  bool window_is_over() const;
  void bisect();
  Batch batch_of(const Work& work) const;
  Work work_of(std::vector<Record> records) { return {settings_.ids.uuid(), std::move(records)}; }
  TimePoint now() const { return settings_.clock.now(); }

  const DeliverySettings settings_;
  Progress progress_;  ///< as it was kept
  std::string read_;   ///< the last record that was read, or the place where reading began
  std::deque<Record> gathered_;
  std::size_t gathered_bytes_ = 0;
  TimePoint first_gathered_;  ///< when there was a record after a time without any
  std::size_t passed_over_ = 0;
  bool at_end_ = false;
  bool closed_ = false;
  std::deque<Work> work_;       ///< that was made of one batch; the first is tried next
  bool has_delivered_ = false;  ///< since it has last waited
  int unavailable_ = 0;         ///< times in a row
};

/// Reads until there is a batch.
kv::Result<std::optional<Pause>> Delivery::Impl::gather() {
  while (!is_full()) {
    DINETTE_CHECK(read_more());
    if (at_end_) break;
    if (passed_over_ >= most_passed_over) return std::optional(Pause{Pause::Until::at_once});
  }
  if (window_is_over()) return finish_window();
  if (gathered_.empty() || !is_due()) return wait();
  make_batch();
  return std::optional<Pause>();
}

kv::Result<void> Delivery::Impl::read_more() {
  const std::size_t room = settings_.batches.records - gathered_.size();
  DINETTE_TRY(RecordPage page, settings_.source.read(settings_.part.shard, read_, room,
                                                     settings_.batches.bytes - gathered_bytes_));
  at_end_ = page.at_end;
  closed_ = page.closed;
  for (Record& record : page.records) take(std::move(record));
  return {};
}

void Delivery::Impl::take(Record&& record) {
  read_ = record.number;
  const Part& part = settings_.part;
  const bool is_mine = part_of(record.key, part.of) == part.number;
  if (!is_mine || settings_.is_done(record) || !settings_.target.admits(record)) {
    ++passed_over_;
    return;
  }
  if (gathered_.empty()) first_gathered_ = now();
  gathered_bytes_ += record.payload.size();
  gathered_.push_back(std::move(record));
}

bool Delivery::Impl::is_full() const {
  if (gathered_.size() >= settings_.batches.records || gathered_bytes_ >= settings_.batches.bytes)
    return true;
  return !gathered_.empty() && !belongs(gathered_.back());
}

/// Returns true if the records are not to wait for others.
bool Delivery::Impl::is_due() const {
  return is_full() || closed_ || now() >= first_gathered_ + settings_.batches.window ||
         std::ranges::any_of(gathered_, [this](const Record& record) { return is_too_old(record); });
}

/// Nothing can be delivered now.
kv::Result<std::optional<Pause>> Delivery::Impl::wait() {
  if (gathered_.empty()) {
    if (read_ != progress_.after) DINETTE_CHECK(advance(read_));
    if (closed_) return progress_.window ? finish_window() : std::optional(Pause::done());
    if (std::exchange(has_delivered_, false)) return std::optional(Pause::of(rest));
    if (!progress_.window) return std::optional(Pause{Pause::Until::appended});
    return std::optional(Pause::at(progress_.window->end + grace_of_windows));
  }
  TimePoint moment = first_gathered_ + settings_.batches.window;
  if (settings_.retries.age)
    moment =
        std::min(moment, gathered_.front().moment + *settings_.retries.age + std::chrono::microseconds(1));
  if (progress_.window) moment = std::min(moment, progress_.window->end + grace_of_windows);
  return std::optional(Pause::at(moment));
}

/// Returns true if a record is of the window that has begun, or may begin one. Those that come late are of
/// the window in which they come.
bool Delivery::Impl::belongs(const Record& record) const {
  if (settings_.batches.tumbling.count() == 0) return true;
  if (progress_.window) return record.moment < progress_.window->end;
  return record.moment < window_of(gathered_.front().moment, settings_.batches.tumbling).end;
}

bool Delivery::Impl::window_is_over() const {
  if (!progress_.window) return false;
  if (progress_.window->is_early) return true;
  if (!gathered_.empty()) return !belongs(gathered_.front());
  return closed_ || (at_end_ && now() >= progress_.window->end + grace_of_windows);
}

/// Has the window's last delivery made, which has no records.
kv::Result<std::optional<Pause>> Delivery::Impl::finish_window() {
  progress_.window->is_final = true;
  work_.push_back(work_of({}));
  return std::optional<Pause>();
}

void Delivery::Impl::make_batch() {
  if (settings_.batches.tumbling.count() != 0 && !progress_.window)
    progress_.window = window_of(gathered_.front().moment, settings_.batches.tumbling);
  std::vector<Record> records;
  std::size_t bytes = 0;
  while (!gathered_.empty() && records.size() < settings_.batches.records && belongs(gathered_.front())) {
    const std::size_t size = gathered_.front().payload.size();
    if (!records.empty() && bytes + size > settings_.batches.bytes) break;
    bytes += size;
    records.push_back(std::move(gathered_.front()));
    gathered_.pop_front();
  }
  gathered_bytes_ -= bytes;
  first_gathered_ = now();  // of those that are left
  work_.push_back(work_of(std::move(records)));
}

Batch Delivery::Impl::batch_of(const Work& work) const {
  return {work.id, settings_.part.shard, work.records, progress_.window, work.tries};
}

/// Tries to deliver the first piece of work.
kv::Result<std::optional<Pause>> Delivery::Impl::deliver(const std::stop_token& stop) {
  Work& work = work_.front();
  const std::string last = work.records.empty() ? progress_.after : work.records.back().number;
  DINETTE_TRY(const bool is_left, discard_old(work));
  if (!is_left) {
    DINETTE_CHECK(finish_work(last, progress_.window ? progress_.window->state : ""));
    return std::optional<Pause>();
  }
  const Verdict verdict = settings_.target.deliver(batch_of(work), stop);
  if (verdict.kind == Verdict::Kind::unavailable) {
    if (stop.stop_requested()) return std::optional(Pause{Pause::Until::woken});
    return std::optional(Pause::of(pause_after(++unavailable_, longest_pause_of_unavailable)));
  }
  unavailable_ = 0;
  if (verdict.kind == Verdict::Kind::failed || (verdict.kind == Verdict::Kind::partly && verdict.done == 0))
    return note_failure();
  if (progress_.window) progress_.window->is_early = verdict.too_large;
  if (verdict.kind == Verdict::Kind::done) {
    DINETTE_CHECK(finish_work(last, verdict.state));
    return std::optional<Pause>();
  }
  const auto left = work.records.begin() + static_cast<std::ptrdiff_t>(verdict.done);
  const std::string after = std::prev(left)->number;
  work_.insert(work_.begin() + 1,
               work_of({std::make_move_iterator(left), std::make_move_iterator(work.records.end())}));
  DINETTE_CHECK(finish_work(after, verdict.state));
  return std::optional<Pause>();
}

/// The first piece of work is over.
kv::Result<void> Delivery::Impl::finish_work(std::string after, const std::string& state) {
  has_delivered_ = true;
  work_.pop_front();
  if (progress_.window && progress_.window->is_final)
    progress_.window.reset();
  else if (progress_.window)
    progress_.window->state = state;
  // With the last of a batch, what was passed over after it is done, too.
  return advance(work_.empty() && gathered_.empty() ? read_ : std::move(after));
}

kv::Result<void> Delivery::Impl::advance(std::string after) {
  progress_.after = std::move(after);
  return settings_.keep(progress_);
}

kv::Result<std::optional<Pause>> Delivery::Impl::note_failure() {
  Work& work = work_.front();
  ++work.tries;
  if (settings_.retries.bisects && work.records.size() > 1) {
    bisect();
    return std::optional<Pause>();
  }
  if (!settings_.retries.retries || work.tries <= *settings_.retries.retries)
    return std::optional(Pause::of(pause_after(work.tries, longest_pause)));
  give_up(work, Discard::retries_exhausted);
  DINETTE_CHECK(finish_work(work.records.empty() ? progress_.after : work.records.back().number,
                            progress_.window ? progress_.window->state : ""));
  return std::optional<Pause>();
}

void Delivery::Impl::bisect() {
  std::vector<Record> records = std::move(work_.front().records);
  const auto middle = records.begin() + static_cast<std::ptrdiff_t>(records.size() / 2);
  work_.pop_front();
  work_.push_front(work_of({std::make_move_iterator(middle), std::make_move_iterator(records.end())}));
  work_.push_front(work_of({std::make_move_iterator(records.begin()), std::make_move_iterator(middle)}));
}

bool Delivery::Impl::is_too_old(const Record& record) const {
  return settings_.retries.age && record.moment + *settings_.retries.age < now();
}

/// Gives up what is too old, or older than its stream keeps records. Returns false if nothing is left.
kv::Result<bool> Delivery::Impl::discard_old(Work& work) {
  if (work.records.empty()) {
    DINETTE_TRY(const bool is_old, is_old_window(work));
    if (is_old) give_up(work, Discard::too_old);
    return !is_old;
  }
  DINETTE_TRY(const std::string removed, last_removed(work));
  const auto is_young = [&](const Record& record) {
    return !is_too_old(record) && is_before(removed, record.number);
  };
  const auto old = std::stable_partition(work.records.begin(), work.records.end(), is_young);
  if (old == work.records.end()) return true;
  Work discarded{
      work.id, {std::make_move_iterator(old), std::make_move_iterator(work.records.end())}, work.tries};
  work.records.erase(old, work.records.end());
  give_up(discarded, Discard::too_old);
  return !work.records.empty();
}

/// Returns the number of the last record that its stream does not have any more; "" if it has all.
kv::Result<std::string> Delivery::Impl::last_removed(const Work& work) {
  std::string last;
  if (!is_repetition(work)) return last;
  for (const Record& record : work.records) {
    DINETTE_TRY(const bool removed, settings_.source.is_removed(settings_.part.shard, record));
    if (!removed) break;
    last = record.number;
  }
  return last;
}

/// The last delivery of a window is as old as the window's end, and in the stream while its last record is.
kv::Result<bool> Delivery::Impl::is_old_window(const Work& work) {
  const Record last{progress_.after, progress_.window->end, {}, {}};
  if (is_too_old(last)) return true;
  if (!is_repetition(work)) return false;
  return settings_.source.is_removed(settings_.part.shard, last);
}

void Delivery::Impl::give_up(const Work& work, Discard why) {
  settings_.target.discard(batch_of(work), why);
}

Delivery::Delivery(DeliverySettings settings) : impl_(std::make_unique<Impl>(std::move(settings))) {}
Delivery::~Delivery() = default;

kv::Result<Pause> Delivery::step(const std::stop_token& stop) {
  return impl_->step(stop);
}

}  // namespace dinette::deliveries
