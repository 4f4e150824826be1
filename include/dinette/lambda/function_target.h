#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "dinette/base/clock.h"
#include "dinette/base/ids.h"
#include "dinette/base/result.h"
#include "dinette/deliveries/delivery.h"
#include "dinette/lambda/delivery_log.h"
#include "dinette/lambda/function_places.h"
#include "dinette/objects/object_store.h"

namespace dinette::lambda {

/// Which kind of stream a mapping reads.
enum class StreamKind : std::uint8_t { dynamodb, kinesis };

/// What events and documents call a mapping and its ends.
struct MappingNames {
  std::string id;        ///< its UUID
  std::string function;  ///< ARN, with the qualifier that it was given
  std::string stream;    ///< ARN
  StreamKind kind = StreamKind::dynamodb;
};

/// How a function is called. What is referred to must outlive the target.
struct FunctionTargetSettings {
  MappingNames names;
  std::optional<FunctionPlace> place;  ///< nothing: it is not known where the function is
  std::chrono::milliseconds timeout = std::chrono::seconds(900);  ///< of a call
  bool reports_failures = false;                                  ///< ReportBatchItemFailures
  bool keeps_state = false;                                       ///< there are tumbling windows
  /// Returns true for records that the function gets; null: it gets all.
  std::function<bool(const deliveries::Record&)> admits = nullptr;
  /// Who gets a document about discarded records: the ARN of a bucket, or a URL, to which it is posted. Other
  /// ARNs get none; what they would get is in the log of deliveries. Empty: none is sent.
  std::string on_failure = {};
  objects::ObjectStore* objects = nullptr;  ///< where the buckets are; null: there are none
  std::shared_ptr<DeliveryLog> log;         ///< of what was delivered; not null
  const base::Clock& clock;                 ///< of the world
  base::Ids& ids;
};

/// A function that gets the records of a stream.
class FunctionTarget final : public deliveries::Target {
 public:
  explicit FunctionTarget(FunctionTargetSettings settings);
  ~FunctionTarget() override;

  bool admits(const deliveries::Record& record) override;
  deliveries::Verdict deliver(const deliveries::Batch& batch, const std::stop_token& stop) override;
  void discard(const deliveries::Batch& batch, deliveries::Discard why) override;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// Calls a function with the event of a delivery once more, also if it succeeded, and records that. Does not
/// change how far a mapping has come. Blocks.
std::shared_ptr<const DeliveryRecord> send_again(const DeliveryRecord& delivery, const FunctionPlace& place,
                                                 std::chrono::milliseconds timeout, DeliveryLog& log,
                                                 const base::Clock& clock, const std::stop_token& stop);

}  // namespace dinette::lambda
