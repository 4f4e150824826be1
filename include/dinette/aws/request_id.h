#pragma once

#include <array>
#include <string_view>

#include "dinette/base/ids.h"

namespace dinette::aws {

/// 52 digits and letters up to V, not terminated: 26 random ones, and 26 that are the same in all ids
/// (docs/service/wire.md section 2).
using RequestId = std::array<char, 52>;

RequestId make_request_id(base::Ids& ids);

inline std::string_view text_of(const RequestId& id) {
  return {id.data(), id.size()};
}

}  // namespace dinette::aws
