#pragma once

#include <string_view>
#include <vector>

#include "dinette/store/catalog.h"

#include "dynamodb/api/enums.h"
#include "dynamodb/api/table_settings.h"

namespace dinette::dynamodb {

/// How far an index is that may come and go while its table stays: one of vectors, or a global one.
struct IndexState {
  store::IndexId id;
  std::string_view name;
  api::IndexStatus status;
  bool building;  ///< rows from before it may lack their entries
  bool vector;

  /// Returns true while it changes. New ones are CREATING; while being filled, ACTIVE in the record.
  bool in_work() const {
    return building || status == api::IndexStatus::creating || status == api::IndexStatus::deleting;
  }
};

/// Returns the states of all such indexes: first the global ones. They refer to the settings.
std::vector<IndexState> index_states(const api::TableSettings& settings);

}  // namespace dinette::dynamodb
