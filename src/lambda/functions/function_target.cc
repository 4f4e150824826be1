#include "dinette/lambda/function_target.h"

#include <utility>

#include "dinette/base/log.h"

#include "lambda/functions/batch_verdict.h"
#include "lambda/functions/failure_destination.h"
#include "lambda/functions/failure_document.h"
#include "lambda/functions/function_call.h"
#include "lambda/functions/function_event.h"

namespace dinette::lambda {
namespace {

using deliveries::Batch;
using deliveries::Discard;
using deliveries::Verdict;
using DeliveryResult = DeliveryRecord::Result;
using Steady = std::chrono::steady_clock;
using std::chrono::milliseconds;

DeliveryResult result_of(const Verdict& verdict) {
  switch (verdict.kind) {
    case Verdict::Kind::done:
      return DeliveryResult::done;
    case Verdict::Kind::partly:
      return verdict.done == 0 ? DeliveryResult::failed : DeliveryResult::partly;
    case Verdict::Kind::failed:
      return DeliveryResult::failed;
    case Verdict::Kind::unavailable:
      break;
  }
  return DeliveryResult::unavailable;
}

DeliveryResult result_of(FunctionAnswer::Kind kind) {
  switch (kind) {
    case FunctionAnswer::Kind::answered:
      return DeliveryResult::done;
    case FunctionAnswer::Kind::failed:
      return DeliveryResult::failed;
    case FunctionAnswer::Kind::unavailable:
      break;
  }
  return DeliveryResult::unavailable;
}

milliseconds time_since(Steady::time_point start) {
  return std::chrono::duration_cast<milliseconds>(Steady::now() - start);
}

}  // namespace

class FunctionTarget::Impl {
 public:
  explicit Impl(FunctionTargetSettings settings) : settings_(std::move(settings)) {}

  bool admits(const deliveries::Record& record) { return !settings_.admits || settings_.admits(record); }

  Verdict deliver(const Batch& batch, const std::stop_token& stop) {
    DeliveryRecord delivery = describe(batch);
    delivery.tries = batch.tries + 1;
    const auto start = Steady::now();
    const Verdict verdict = try_batch(batch, stop, delivery);
    delivery.duration = time_since(start);
    delivery.result = result_of(verdict);
    delivery.reason = verdict.reason;
    settings_.log->add(std::move(delivery));
    return verdict;
  }

  void discard(const Batch& batch, Discard why) {
    DeliveryRecord delivery = describe(batch);
    delivery.tries = batch.tries;
    delivery.result = DeliveryResult::discarded;
    delivery.reason = condition_of(why);
    const DiscardedBatch discarded{batch, why, settings_.names,
                                   last_.batch == batch.id ? last_.result : std::nullopt, delivery.time};
    SentDocument sent = send(discarded, *delivery.event);
    warn(delivery, sent.problem);
    if (!sent.problem.empty()) delivery.reason += "; the destination does not have it: " + sent.problem;
    delivery.answer = std::move(sent.document);
    settings_.log->add(std::move(delivery));
  }

 private:
  /// Describes a delivery that begins now.
  DeliveryRecord describe(const Batch& batch) {
    DeliveryRecord delivery{.time = settings_.clock.now(),
                            .mapping = settings_.names.id,
                            .function = settings_.names.function,
                            .stream = settings_.names.stream,
                            .shard = batch.shard,
                            .batch = batch.id,
                            .records = batch.records.size(),
                            .event = event_for(batch)};
    if (batch.records.empty()) return delivery;
    delivery.first = batch.records.front().number;
    delivery.last = batch.records.back().number;
    return delivery;
  }

  /// Returns the event, once in memory for all tries.
  std::shared_ptr<const std::string> event_for(const Batch& batch) {
    std::string event = event_of(batch, settings_.names.stream);
    if (!event_ || *event_ != event) event_ = std::make_shared<const std::string>(std::move(event));
    return event_;
  }

  Verdict try_batch(const Batch& batch, const std::stop_token& stop, DeliveryRecord& delivery) {
    last_ = {batch.id, std::nullopt};
    if (delivery.event->size() > most_event_bytes)
      return {.kind = Verdict::Kind::failed, .reason = "the event is larger than 6 MB"};
    if (!settings_.place)
      return {.kind = Verdict::Kind::unavailable,
              .reason = "it is not known where the function is; --lambda-endpoint says so"};
    FunctionAnswer answer = call_function(*settings_.place, *delivery.event, settings_.timeout, stop);
    last_.result = {answer.status, answer.version, answer.kind == FunctionAnswer::Kind::failed};
    Verdict verdict = verdict_of_call(answer, batch);
    delivery.answer = std::move(answer.body);
    return verdict;
  }

  Verdict verdict_of_call(const FunctionAnswer& answer, const Batch& batch) const {
    switch (answer.kind) {
      case FunctionAnswer::Kind::answered:
        return verdict_of(answer.body, batch, {settings_.reports_failures, settings_.keeps_state});
      case FunctionAnswer::Kind::failed:
        return {.kind = Verdict::Kind::failed, .reason = answer.reason};
      case FunctionAnswer::Kind::unavailable:
        break;
    }
    return {.kind = Verdict::Kind::unavailable, .reason = answer.reason};
  }

  SentDocument send(const DiscardedBatch& discarded, std::string_view event) {
    if (settings_.on_failure.empty()) return {failure_document(discarded, std::nullopt), ""};
    return send_document(discarded, event, read_destination(settings_.on_failure), settings_.objects,
                         settings_.ids);
  }

  void warn(const DeliveryRecord& delivery, const std::string& problem) const {
    base::log(base::LogLevel::warn, "records were discarded that a function did not take",
              {{"function", delivery.function},
               {"stream", delivery.stream},
               {"shard", delivery.shard},
               {"first", delivery.first},
               {"last", delivery.last},
               {"records", delivery.records},
               {"tries", delivery.tries},
               {"condition", delivery.reason},
               {"destination", settings_.on_failure},
               {"problem", problem}});
  }

  const FunctionTargetSettings settings_;
  std::shared_ptr<const std::string> event_;  ///< of the last batch
  struct {
    std::string batch;
    std::optional<LastTry> result;  ///< nothing: the function was not called
  } last_;
};

FunctionTarget::FunctionTarget(FunctionTargetSettings settings)
    : impl_(std::make_unique<Impl>(std::move(settings))) {}

FunctionTarget::~FunctionTarget() = default;

bool FunctionTarget::admits(const deliveries::Record& record) {
  return impl_->admits(record);
}

Verdict FunctionTarget::deliver(const Batch& batch, const std::stop_token& stop) {
  return impl_->deliver(batch, stop);
}

void FunctionTarget::discard(const Batch& batch, Discard why) {
  impl_->discard(batch, why);
}

std::shared_ptr<const DeliveryRecord> send_again(const DeliveryRecord& delivery, const FunctionPlace& place,
                                                 milliseconds timeout, DeliveryLog& log,
                                                 const base::Clock& clock, const std::stop_token& stop) {
  DeliveryRecord again = delivery;
  again.time = clock.now();
  again.repeats = delivery.number;
  again.tries = 1;
  const auto start = Steady::now();
  FunctionAnswer answer = call_function(place, *delivery.event, timeout, stop);
  again.duration = time_since(start);
  again.result = result_of(answer.kind);
  again.reason = std::move(answer.reason);
  again.answer = std::move(answer.body);
  return log.add(std::move(again));
}

}  // namespace dinette::lambda
