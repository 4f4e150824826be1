#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>

#include "dinette/base/clock.h"
#include "dinette/base/ids.h"
#include "dinette/base/result.h"
#include "dinette/deliveries/delivery.h"
#include "dinette/lambda/delivery_log.h"
#include "dinette/lambda/function_places.h"

namespace dinette::app {

/// What a listener works with. What is referred to must outlive it.
struct ListenerSettings {
  deliveries::StreamSource& source;
  std::string stream;  ///< ARN
  lambda::FunctionPlace place;
  const base::Clock& clock;
  base::Ids& ids;
  std::function<void(const lambda::DeliveryRecord&)> show;  ///< called after each delivery
  std::function<void(std::chrono::milliseconds)> wait;      ///< sleeps, or less if a stop is requested
  bool from_beginning = false;  ///< begins with the oldest record, not with the next one
};

/// Why a listener has ended.
enum class ListenEnd {
  stopped,      ///< a stop was requested
  stream_ended  ///< the stream is gone, or all of its shards have ended
};

/// Forwards the records of a stream to a function: those of one shard in their order, and those of new shards
/// after their parents. For one thread.
class Listener {
 public:
  explicit Listener(ListenerSettings settings);
  ~Listener();

  /// Forwards until a stop is requested, or the stream has ended. May be called again: then goes on where it
  /// was, with shards that have been added. The error is a sentence for the user.
  base::Result<ListenEnd, std::string> run(const std::stop_token& stop);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// Returns the line about a delivery that the user sees.
std::string line_of(const lambda::DeliveryRecord& delivery);

}  // namespace dinette::app
