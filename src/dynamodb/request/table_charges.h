#pragma once

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "dynamodb/request/consumed_capacity.h"

namespace dinette::dynamodb {

/// What a request takes of several tables.
class TableCharges {
 public:
  /// Adds to what is taken of the table, as the client wrote its name, which must outlive this.
  void add(std::string_view table_name, const Charge& charge);

  bool empty() const { return tables_.empty(); }

  /// Tells the gate of each table, and the client nothing.
  void tell_gate(const Context& context) const;

  /// Tells the gate of each table, and returns the list that the client asked for, if it did
  /// (docs/service/capacity.md sections 1 and 3).
  std::optional<std::vector<api::ConsumedCapacity>> consumed_capacity(
      const Context& context, api::ReturnConsumedCapacity wanted,
      CapacityAxis axis = CapacityAxis::none) const;

 private:
  std::vector<std::pair<std::string_view, Charge>> tables_;
};

}  // namespace dinette::dynamodb
