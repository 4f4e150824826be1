#pragma once

#include <string_view>

namespace dinette::dynamodb::wire {

/// What an operation does, as far as throttling tells operations apart. All false for those of streams.
struct OperationKind {
  bool data = false;           ///< reads or writes items
  bool writes = false;         ///< may write items
  bool batch = false;          ///< is done in parts, some of which may be left
  bool transaction = false;    ///< is done as a whole
  bool control = false;        ///< belongs to the control plane
  bool changes_table = false;  ///< makes, changes or removes one
};
OperationKind kind_of(std::string_view operation);

}  // namespace dinette::dynamodb::wire
