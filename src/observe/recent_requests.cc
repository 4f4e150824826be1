#include "dinette/observe/recent_requests.h"

#include <algorithm>
#include <utility>

namespace dinette::observe {
namespace {

/// Returns its approximate size in memory.
std::size_t bytes_of(const RecentRequest& request) {
  return sizeof request + request.request.text.size() + request.response.text.size() +
         request.explanation.size();
}

}  // namespace

BodyText BodyText::of(std::string_view body) {
  return {std::string(body.substr(0, most_bytes)), body.size()};
}

void RecentRequests::add(RecentRequest request) {
  auto added = std::make_shared<RecentRequest>(std::move(request));
  const std::size_t bytes = bytes_of(*added);
  const std::lock_guard guard(mutex_);
  if (!recording()) return;
  if (waiting_ == 0 && now_() - asked_ > patience) {
    recording_.store(false, std::memory_order_relaxed);
    kept_.clear();
    bytes_ = 0;
    return;
  }
  added->number = ++last_;
  kept_.push_back(std::move(added));
  bytes_ += bytes;
  while (kept_.size() > most_kept || bytes_ > most_bytes_kept) forget_oldest();
  added_.notify_all();
}

RecentRequests::Page RecentRequests::read(const Question& question) {
  std::unique_lock lock(mutex_);
  recording_.store(true, std::memory_order_relaxed);
  asked_ = now_();
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

void RecentRequests::forget_oldest() {
  bytes_ -= bytes_of(*kept_.front());
  kept_.pop_front();
}

}  // namespace dinette::observe
