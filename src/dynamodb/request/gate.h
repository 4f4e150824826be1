#pragma once

#include <cstddef>
#include <string_view>

#include "dynamodb/request/api_error.h"
#include "dynamodb/request/charge.h"
#include "dynamodb/request/throughput.h"

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

  /// Called for each item of a BatchGetItem or BatchWriteItem before it is read or written, and for each
  /// statement of a BatchExecuteStatement before it is run. `position` counts from 0 in the order of the
  /// request. False leaves the item unprocessed, and throttles the statement.
  virtual bool admit_item(const Context& /*context*/, std::size_t /*position*/) { return true; }

  /// Called before a table or index is read or written, when the request has been checked against it and
  /// nothing is done yet. `least` is what that costs at least, in capacity units. An error is the answer, or
  /// that of an item in a batch. May be called more than once, also by decisions of the store.
  virtual Answer<void> admit_throughput(const Context& /*context*/, const Throughput& /*throughput*/,
                                        double /*least*/) {
    return {};
  }
  /// The same of a partition, after that: of an item, or of the place where a page begins.
  virtual Answer<void> admit_partition(const Context& /*context*/, const PartitionThroughput& /*partition*/,
                                       double /*least*/) {
    return {};
  }
  /// Called for each item or page when it is read, written or refused because of what is stored, with the
  /// capacity units that it took of a table or index; never with what admit_throughput or admit_partition
  /// refused. The units of a table are the sum of the item's; charge() tells of the whole request.
  virtual void take(const Context& /*context*/, const PartitionThroughput& /*partition*/, double /*units*/) {}

  /// Called once for each table that an operation read or wrote, or failed to write because of what is
  /// stored, afterwards. `table` as the client wrote it.
  virtual void charge(const Context& context, std::string_view table, const Charge& charge) = 0;

  /// Called when an UpdateTable is going to change `table`, which is as it was before.
  virtual void before_change(const Context& /*context*/, const store::Table& /*table*/) {}
  /// Called when a DeleteTable has been accepted.
  virtual void after_deletion(const Context& /*context*/, const store::Table& /*table*/) {}
};

/// Asks the gate, if there is one.
bool admits_item(const Context& context, std::size_t position);

/// The answer to a batch of which nothing was processed (docs/service/throttling.md section 4).
[[gnu::cold]] base::Failure<ApiError> no_item_admitted(std::string_view table_arn, Axis axis);

}  // namespace dinette::dynamodb
