#pragma once

#include <cstddef>
#include <string_view>

#include "dynamodb/request/api_error.h"
#include "dynamodb/request/charge.h"

namespace dinette::dynamodb {

struct Context;

/// Stands before every operation and hears what it cost: the one place for whatever throttles, fails on
/// purpose, or counts. Every member may be called from several threads at once.
class Gate {
 public:
  Gate() = default;
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;
  virtual ~Gate() = default;

  /// Called when a request has been decoded and its members are within the model's constraints, before
  /// anything is looked up or done. An error is the client's answer.
  virtual Answer<void> admit(const Context& context, std::string_view operation) = 0;

  /// Called for each item of a BatchGetItem or BatchWriteItem before it is read or written. `position` counts
  /// from 0 in the order of the request. False leaves the item unprocessed.
  virtual bool admit_item(const Context& /*context*/, std::size_t /*position*/) { return true; }

  /// Called once for each table that an operation read or wrote, or failed to write for what is stored, after
  /// it did. `table` as the client wrote it.
  virtual void charge(const Context& context, std::string_view table, const Charge& charge) = 0;
};

/// Asks the gate, if there is one.
bool admits_item(const Context& context, std::size_t position);

/// The answer to a batch of which nothing was processed (docs/service/throttling.md section 4).
[[gnu::cold]] base::Failure<ApiError> no_item_admitted();

}  // namespace dinette::dynamodb
