#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tablestore/search/order.h"

namespace dinette::tablestore::search {

/// Where a page of hits ends: the order, and the last of its hits. Clients send it back to get the next page.
struct PageToken {
  std::string sort;  ///< the message Sort
  Hit last;
  std::uint64_t seed = 0;  ///< of random scores

  std::string encode() const;
  /// Returns nothing for what is none.
  static std::optional<PageToken> decode(std::string_view token);
};

}  // namespace dinette::tablestore::search
