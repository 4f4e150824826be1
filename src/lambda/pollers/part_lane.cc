#include "lambda/pollers/part_lane.h"

#include <mutex>
#include <string_view>
#include <utility>

#include "lambda/mappings/mapping_status.h"

namespace dinette::lambda {
namespace {

// docs/service/triggers.md section 1.1.
constexpr std::string_view result_ok = "OK";
constexpr std::string_view result_failed = "PROBLEM: Function call failed";

}  // namespace

/// The function, and what becomes known of the mapping by calling it.
class PartLane::ObservedTarget final : public deliveries::Target {
 public:
  explicit ObservedTarget(PartLaneSettings& settings)
      : settings_(settings), mappings_(settings.store), statuses_(MappingStatuses::of(settings.world)) {}

  bool admits(const deliveries::Record& record) override {
    const bool admitted = settings_.target->admits(record);
    if (!admitted) passed_over_ = true;
    return admitted;
  }

  deliveries::Verdict deliver(const deliveries::Batch& batch, const std::stop_token& stop) override {
    using Ending = deliveries::Verdict::Kind;
    deliveries::Verdict verdict = settings_.target->deliver(batch, stop);
    const bool failed =
        verdict.kind == Ending::failed || (verdict.kind == Ending::partly && verdict.done == 0);
    statuses_.set_reason(settings_.uuid, verdict.kind == Ending::done ? std::string() : verdict.reason);
    if (verdict.kind == Ending::unavailable) return verdict;
    const std::size_t done = verdict.kind == Ending::done ? batch.records.size() : failed ? 0 : verdict.done;
    statuses_.add(settings_.uuid, {.records = done, .calls = 1, .failures = failed ? 1U : 0U});
    note(verdict.kind == Ending::failed ? result_failed : result_ok);
    return verdict;
  }

  void discard(const deliveries::Batch& batch, deliveries::Discard why) override {
    settings_.target->discard(batch, why);
    statuses_.add(settings_.uuid, {.discarded = batch.records.size()});
  }

  /// Records that are passed over count as a batch that went well.
  void note_passed_over() {
    if (std::exchange(passed_over_, false)) note(result_ok);
  }

 private:
  /// It is for people, and may be lost. All lanes of a mapping note theirs in the same place.
  void note(std::string_view result) {
    MappingRun& run = *settings_.run;
    const std::lock_guard guard(run.result_mutex);
    if (result == run.result) return;
    if (mappings_.keep_result(settings_.uuid, result)) run.result = result;
  }

  PartLaneSettings& settings_;
  KeptMappings mappings_;
  MappingStatuses& statuses_;
  bool passed_over_ = false;
};

PartLane::PartLane(PartLaneSettings settings)
    : settings_(std::move(settings)),
      target_(std::make_unique<ObservedTarget>(settings_)),
      delivery_({.source = *settings_.source,
                 .target = *target_,
                 .clock = settings_.world.clock(),
                 .ids = settings_.ids,
                 .part = settings_.part,
                 .batches = settings_.batches,
                 .retries = settings_.retries,
                 .keep =
                     [this](const deliveries::Progress& progress) {
                       target_->note_passed_over();
                       return settings_.progress->keep(settings_.part.number, progress);
                     },
                 .progress = settings_.progress->of(settings_.part.number),
                 .is_done =
                     [this](const deliveries::Record& record) { return settings_.progress->is_done(record); },
                 .continues = [this] { return settings_.run->continues.load(); }}) {}

PartLane::~PartLane() = default;

kv::Result<deliveries::Pause> PartLane::step(const std::stop_token& stop) {
  if (ended_) return deliveries::Pause::done();
  DINETTE_TRY(const deliveries::Pause pause, delivery_.step(stop));
  if (pause.until == deliveries::Pause::Until::done) DINETTE_CHECK(end());
  return pause;
}

kv::Result<void> PartLane::end() {
  if (settings_.run->continues) DINETTE_CHECK(settings_.progress->close());
  ended_ = true;
  --settings_.run->running;
  settings_.world.lanes().wake(settings_.run->poller);
  return {};
}

}  // namespace dinette::lambda
