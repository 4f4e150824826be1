#pragma once

#include <string_view>

#include "dinette/base/clock.h"

#include "dynamodb/api/enums.h"
#include "dynamodb/api/table_record.h"
#include "dynamodb/api/table_settings.h"
#include "dynamodb/api/table_transition.h"
#include "dynamodb/request/api_error.h"

namespace dinette::dynamodb {

/// Returns true if a change that takes time is not over. A clock that shows a time before its beginning was
/// set back: then it counts as over, for it would last until the clock is there again.
bool is_during(codec::Timestamp now, codec::Timestamp begun, codec::Timestamp until);
/// The same of a change of a table, which may wait for more than time.
bool is_during(codec::Timestamp now, const api::TableTransition& transition);

/// The state of a table at a moment. A transition ends by the clock alone, so nothing has to run for a table
/// to become ACTIVE; while it lasts, the settings before it are in force. The table is CREATING, UPDATING or
/// DELETING meanwhile, or ACTIVE if only an index, the encryption or the warm throughput changes. Filling a
/// new index takes as long as it takes; the table is ACTIVE (docs/service/indexes.md section 5).
struct TableState {
  api::TableStatus status;
  const api::TableSettings& settings;
  const api::TableSettings&
      target;         ///< the settings after the transition; the same ones without a transition
  bool gone = false;  ///< its deletion is over: the table is there no more

  bool changing() const { return &settings != &target; }
};
TableState state_at(const api::TableRecord& record, codec::Timestamp now);

/// Returns true while the table is CREATING because it is restored.
bool is_restoring(const api::TableRecord& record, codec::Timestamp now);

/// Returns the error for a resource that cannot be changed now; `why` is the text after the colon.
base::Failure<ApiError> still_in_use(std::string_view why);
/// The same of a table in a state other than ACTIVE.
base::Failure<ApiError> still_in_use(const api::TableRecord& record, api::TableStatus status);

}  // namespace dinette::dynamodb
