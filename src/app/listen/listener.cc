#include "app/listen/listener.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "dinette/base/time_text.h"
#include "dinette/lambda/function_target.h"

namespace dinette::app {
namespace {

using base::Failure;
using deliveries::Delivery;
using deliveries::Pause;
using deliveries::Shard;
using deliveries::StartingPosition;
using std::chrono::milliseconds;

/// Between two looks at a shard, as Lambda has it (docs/service/triggers.md section 2).
constexpr milliseconds between_polls{250};
/// Looks at the shards, after which they are listed again.
constexpr unsigned polls_per_list = 40;
constexpr unsigned most_retries = 2;

}  // namespace

class Listener::Impl {
 public:
  explicit Impl(ListenerSettings settings)
      : settings_(std::move(settings)),
        target_(target_settings()),
        begins_with_next_(!settings_.from_beginning) {}

  base::Result<ListenEnd, std::string> run(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      DINETTE_TRY(const bool exists, find_shards());
      // A stream that has just been made may have no shard yet.
      if (!exists || (running_.empty() && !known_.empty())) return ListenEnd::stream_ended;
      begins_with_next_ = false;
      for (unsigned i = 0; i < polls_per_list && !stop.stop_requested(); ++i) {
        DINETTE_TRY(const bool ended, step(stop));
        if (ended) break;
        settings_.wait(between_polls);
      }
    }
    return ListenEnd::stopped;
  }

 private:
  lambda::FunctionTargetSettings target_settings() {
    return {.names = {.id = settings_.ids.uuid(),
                      .function = lambda::text_of(settings_.place),
                      .stream = settings_.stream,
                      .kind = lambda::StreamKind::dynamodb},
            .place = settings_.place,
            .log = log_,
            .clock = settings_.clock,
            .ids = settings_.ids};
  }

  /// Begins with shards that are new. Returns false if there is no stream.
  base::Result<bool, std::string> find_shards() {
    auto shards = settings_.source.shards();
    if (!shards) return Failure{shards.error().message};
    if (!shards->has_value()) return false;
    for (const Shard& shard : **shards) {
      const bool waits = std::ranges::any_of(
          shard.parents, [this](const std::string& parent) { return running_.contains(parent); });
      if (!waits && !known_.contains(shard.id)) DINETTE_CHECK(begin(shard));
    }
    return true;
  }

  base::Result<void, std::string> begin(const Shard& shard) {
    const auto position = begins_with_next_ ? StartingPosition::latest : StartingPosition::trim_horizon;
    auto place = settings_.source.place_of(shard.id, position, {});
    if (!place) return Failure{place.error().message};
    known_.insert(shard.id);
    running_[shard.id] = std::make_unique<Delivery>(
        deliveries::DeliverySettings{.source = settings_.source,
                                     .target = target_,
                                     .clock = settings_.clock,
                                     .ids = settings_.ids,
                                     .part = {.shard = shard.id},
                                     .retries = {.retries = most_retries},
                                     .keep = [](const deliveries::Progress&) { return kv::Result<void>(); },
                                     .progress = {.after = std::move(place).value()}});
    return {};
  }

  /// Delivers what there is. Returns true if a shard has ended, whose children may begin.
  base::Result<bool, std::string> step(const std::stop_token& stop) {
    bool ended = false;
    for (auto one = running_.begin(); one != running_.end();) {
      const auto pause = one->second->step(stop);
      show();
      if (!pause) return Failure{pause.error().message};
      const bool is_done = pause->until == Pause::Until::done;
      ended = ended || is_done;
      one = is_done ? running_.erase(one) : std::next(one);
    }
    return ended;
  }

  void show() {
    const auto page = log_->read({.after = shown_});
    for (const auto& one : page.deliveries) settings_.show(*one);
    shown_ = page.last;
  }

  const ListenerSettings settings_;
  const std::shared_ptr<lambda::DeliveryLog> log_ = std::make_shared<lambda::DeliveryLog>();
  lambda::FunctionTarget target_;
  bool begins_with_next_;  ///< those shards that are there at the first look
  std::set<std::string> known_;
  std::map<std::string, std::unique_ptr<Delivery>> running_;
  std::uint64_t shown_ = 0;
};

Listener::Listener(ListenerSettings settings) : impl_(std::make_unique<Impl>(std::move(settings))) {}

Listener::~Listener() = default;

base::Result<ListenEnd, std::string> Listener::run(const std::stop_token& stop) {
  return impl_->run(stop);
}

std::string line_of(const lambda::DeliveryRecord& delivery) {
  using Result = lambda::DeliveryRecord::Result;
  const bool is_one = delivery.records == 1;
  std::string line = base::format_time(delivery.time) + "  " + std::to_string(delivery.records) +
                     (is_one ? " record  " : " records  ");
  if (delivery.result == Result::done)
    return line + "done in " + std::to_string(delivery.duration.count()) + " ms";
  if (delivery.result == Result::discarded) return line + "discarded";
  line += delivery.result == Result::unavailable ? "not reached: " : "failed: ";
  return line + delivery.reason;
}

}  // namespace dinette::app
