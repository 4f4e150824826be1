#pragma once

#include <functional>
#include <stop_token>

#include "dinette/deliveries/delivery.h"
#include "dinette/dynamodb/kinesis_streams.h"
#include "dinette/store/store.h"
#include "dinette/tenancy/world.h"

#include "dynamodb/api/destination_log.h"

namespace dinette::dynamodb {

/// Puts the records of a log into its Kinesis stream. What it was made with must outlive it.
class KinesisTarget final : public deliveries::Target {
 public:
  /// A batch that every stream takes, and that a cache of the processor holds.
  static constexpr deliveries::BatchRule batches{.records = 500, .bytes = 128 << 10};
  /// What a stream does not take is given up at once; when there is no stream, after the time for which
  /// Kinesis would keep records.
  static constexpr deliveries::RetryRule retries{
      .retries = 0, .age = std::chrono::hours(24), .bisects = true};

  struct Place {
    tenancy::World& world;
    store::Store& store;
    KinesisStreams& streams;
  };
  KinesisTarget(Place place, const api::DestinationLog& log) : place_(place), log_(log) {}

  deliveries::Verdict deliver(const deliveries::Batch& batch, const std::stop_token& stop) override;
  void discard(const deliveries::Batch& batch, deliveries::Discard why) override;

 private:
  kv::Result<bool> has_ended() const;

  const Place place_;
  const api::DestinationLog& log_;
};

}  // namespace dinette::dynamodb
