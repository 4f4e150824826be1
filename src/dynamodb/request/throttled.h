#pragma once

#include <cstdint>
#include <string_view>

#include "dynamodb/request/api_error.h"
#include "dynamodb/request/throughput.h"

namespace dinette::dynamodb {

/// What a request can run out of.
enum class Limit : std::uint8_t {
  provisioned,  ///< the units of a provisioned table or index
  maximum,      ///< the maximum that an on-demand table or index was given
  account,      ///< what an account may take of an on-demand table or index without a maximum
  partition,    ///< what one partition gives
};

/// What ran out, of what, and for whom.
struct Shortage {
  Limit limit;
  Axis axis;
  bool on_demand;
  std::string_view table_arn;
  std::string_view index = {};  ///< empty for the table
  bool single_write = false;    ///< the request writes one item, and not in a batch or transaction
};

/// Returns the answer to a request that is throttled, with its reason (docs/service/throttling.md section 4).
[[gnu::cold]] ApiError throttled(const Shortage& shortage);

/// Returns the one reason of that answer.
ThrottlingReason throttling_reason(const Shortage& shortage);

}  // namespace dinette::dynamodb
