#include "dinette/lambda/delivery_log.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace dinette::lambda {
namespace {

using KeptDelivery = std::shared_ptr<const DeliveryRecord>;

bool is_asked_for(const DeliveryRecord& one, const DeliveryLog::Question& question) {
  return (question.mapping.empty() || one.mapping == question.mapping) &&
         (!question.failed_only || one.needs_attention());
}

}  // namespace

std::size_t DeliveryRecord::bytes() const {
  return sizeof(DeliveryRecord) + mapping.size() + function.size() + stream.size() + shard.size() +
         batch.size() + first.size() + last.size() + reason.size() + (event ? event->size() : 0) +
         answer.size();
}

KeptDelivery DeliveryLog::add(DeliveryRecord delivery) {
  const std::lock_guard lock(mutex_);
  forget_predecessor(delivery);
  delivery.number = ++last_;
  auto added = std::make_shared<const DeliveryRecord>(std::move(delivery));
  bytes_ += added->bytes();
  kept_.push_back(added);
  forget_what_is_too_much();
  return added;
}

void DeliveryLog::forget_predecessor(const DeliveryRecord& delivery) {
  if (delivery.result != DeliveryRecord::Result::unavailable) return;
  const auto last = std::find_if(kept_.rbegin(), kept_.rend(),
                                 [&](const KeptDelivery& one) { return one->batch == delivery.batch; });
  if (last == kept_.rend() || (*last)->result != delivery.result || (*last)->repeats != delivery.repeats)
    return;
  bytes_ -= (*last)->bytes();
  kept_.erase(std::next(last).base());
}

void DeliveryLog::forget_what_is_too_much() {
  while (kept_.size() > most_kept || (kept_.size() > 1 && bytes_ > most_bytes_kept)) {
    bytes_ -= kept_.front()->bytes();
    kept_.pop_front();
  }
}

DeliveryLog::Page DeliveryLog::read(const Question& question) const {
  const std::lock_guard lock(mutex_);
  Page page{.deliveries = {}, .last = last_};
  for (auto one = kept_.rbegin(); one != kept_.rend() && (*one)->number > question.after; ++one) {
    if (page.deliveries.size() == question.limit) break;
    if (is_asked_for(**one, question)) page.deliveries.push_back(*one);
  }
  std::ranges::reverse(page.deliveries);
  return page;
}

KeptDelivery DeliveryLog::find(std::uint64_t number) const {
  const std::lock_guard lock(mutex_);
  const auto found =
      std::ranges::lower_bound(kept_, number, {}, [](const KeptDelivery& one) { return one->number; });
  return found != kept_.end() && (*found)->number == number ? *found : nullptr;
}

}  // namespace dinette::lambda
