#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "dinette/base/clock.h"
#include "dinette/deliveries/delivery.h"
#include "dinette/lambda/function_target.h"

namespace dinette::lambda {

/// What the last try of a batch has led to.
struct LastTry {
  int status = 200;
  std::string version;
  bool function_failed = false;  ///< not so: the function reported failures
};

/// What a document about discarded records says.
struct DiscardedBatch {
  const deliveries::Batch& batch;
  deliveries::Discard why;
  const MappingNames& names;
  std::optional<LastTry> last;  ///< nothing: the function was not called
  base::TimePoint now;
};

/// Returns the document about discarded records (docs/service/triggers.md section 3.5). `event`: what a
/// function would have got, for destinations that take it; nothing: the others.
std::string failure_document(const DiscardedBatch& discarded, std::optional<std::string_view> event);

/// Returns "RetryAttemptsExhausted" or "RecordAgeExceeded".
std::string_view condition_of(deliveries::Discard why);

/// Returns the key of the object in which a bucket gets the document. `id`: a UUID.
std::string failure_key(const DiscardedBatch& discarded, std::string_view id);

}  // namespace dinette::lambda
