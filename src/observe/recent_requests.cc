#include "dinette/observe/recent_requests.h"

#include <algorithm>
#include <utility>

namespace dinette::observe {
namespace {

/// Returns the time of day of a moment in the near past.
base::TimePoint time_of(std::chrono::steady_clock::time_point moment) {
  const auto ago = std::chrono::steady_clock::now() - moment;
  return std::chrono::floor<base::TimePoint::duration>(std::chrono::system_clock::now() - ago);
}

}  // namespace

void RecentRequests::add(const AnsweredRequest& answered) {
  if (recording() || !answered.is_known) [[unlikely]]
    return add(RecentRequest::of(answered, time_of(answered.end)));
  rings_.add(answered);
  // A reader who has come meanwhile may be waiting for it.
  if (!recording()) [[likely]]
    return;
  const std::lock_guard guard(mutex_);
  take_from_rings();
  added_.notify_all();
}

void RecentRequests::add(RecentRequest request) {
  const std::lock_guard guard(mutex_);
  keep(std::move(request));
  stop_recording_without_readers();
  forget_what_is_too_much();
  added_.notify_all();
}

RecentRequests::Page RecentRequests::read(const Question& question) {
  std::unique_lock lock(mutex_);
  recording_.store(true, std::memory_order_relaxed);
  asked_ = now_();
  take_from_rings();
  Page page = page_of(question);
  if (waiting_ == most_waiting) return page;
  ++waiting_;
  const auto end = Steady::now() + question.wait;
  while (page.requests.empty() && !ending_ && added_.wait_until(lock, end) == std::cv_status::no_timeout)
    page = page_of(question);
  --waiting_;
  asked_ = now_();
  return page;
}

void RecentRequests::end_waits() {
  const std::lock_guard guard(mutex_);
  ending_ = true;
  added_.notify_all();
}

RecentRequests::Page RecentRequests::page_of(const Question& question) const {
  // A reader from before a restart knows numbers that were not given yet.
  const std::uint64_t after = question.after > last_ ? 0 : question.after;
  const std::uint64_t first_kept = last_ - kept_.size() + 1;
  Page page{.requests = {}, .last = last_, .missed = first_kept > after + 1 ? first_kept - after - 1 : 0};
  for (std::uint64_t number = std::max(after + 1, first_kept); number <= last_; ++number) {
    const auto& one = kept_[number - first_kept];
    if (question.world && one->details.world != *question.world) continue;
    if (page.requests.size() == question.limit) {
      page.last = number - 1;
      break;
    }
    page.requests.push_back(one);
  }
  return page;
}

/// What is lost is older than what the rings have, and newer than what was kept before: numbers have no gaps
/// within kept_.
void RecentRequests::take_from_rings() {
  RequestRings::Taken taken = rings_.take();
  if (taken.requests.size() > rings_.capacity()) {
    const auto too_many = static_cast<std::ptrdiff_t>(taken.requests.size() - rings_.capacity());
    taken.requests.erase(taken.requests.begin(), taken.requests.begin() + too_many);
    taken.lost += static_cast<std::uint64_t>(too_many);
  }
  if (taken.lost > 0) {
    kept_.clear();
    bytes_ = 0;
    last_ += taken.lost;
  }
  for (RequestRings::Kept& one : taken.requests) {
    one.request.time = time_of(one.end);
    keep(std::move(one.request));
  }
  forget_what_is_too_much();
}

void RecentRequests::keep(RecentRequest request) {
  request.number = ++last_;
  bytes_ += request.bytes();
  kept_.push_back(std::make_shared<const RecentRequest>(std::move(request)));
}

void RecentRequests::stop_recording_without_readers() {
  if (waiting_ == 0 && now_() - asked_ > patience) recording_.store(false, std::memory_order_relaxed);
}

void RecentRequests::forget_what_is_too_much() {
  const std::size_t requests = recording() ? most_kept : rings_.capacity();
  const std::size_t bytes = recording() ? most_bytes_kept : requests * RequestRings::bytes_per_request;
  while (kept_.size() > requests || bytes_ > bytes) {
    bytes_ -= kept_.front()->bytes();
    kept_.pop_front();
  }
}

}  // namespace dinette::observe
