#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "dinette/base/clock.h"
#include "dinette/base/ids.h"

#include "app/transfer/operations.h"
#include "app/transfer/transfer_progress.h"

namespace dinette::app {

/// What exports and imports work with.
struct Transfer {
  Operations& operations;
  const base::Clock& clock;
  base::Ids& ids;
  TransferProgress& progress;
  Patience patience;

  base::Result<std::string, CallError> call(std::string_view operation, std::string_view request) const {
    return call_patiently(operations, operation, request, patience);
  }
  base::Result<std::string, CallError> call(const ServiceCall& call) const {
    return call_patiently(operations, call, patience);
  }
};

/// Returns `{"TableName":"..."}`.
std::string naming(std::string_view table);

/// Returns true if a table can have this name, which then is a folder's name, too.
bool is_table_name(std::string_view name);

/// Returns a sentence about a name that no table can have.
std::string bad_table_name(std::string_view name);

/// Returns a number with commas between its thousands: "1,234".
std::string with_commas(std::uint64_t number);

/// Returns "1 index", "1,234 indexes".
std::string count_text(std::uint64_t number, std::string_view one, std::string_view several);

/// Returns "1 item", "1,234 items".
std::string items_text(std::uint64_t items);

}  // namespace dinette::app
