#pragma once

#include <array>
#include <string_view>

#include "dinette/base/ids.h"

namespace dinette::aws {

/// 52 upper-case letters and digits, not terminated (docs/service/wire.md section 2).
using RequestId = std::array<char, 52>;

RequestId make_request_id(base::Ids& ids);

inline std::string_view text_of(const RequestId& id) {
  return {id.data(), id.size()};
}

}  // namespace dinette::aws
