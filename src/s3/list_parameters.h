#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "s3/call.h"

/// What requests for lists have in common.
namespace dinette::s3 {

/// Reads how many there may be in one response, by the parameter of that name: at most 1,000.
Outcome<std::size_t> read_limit(const Call& call, std::string_view parameter);

/// How keys are written: percent-encoded if the request asks for it.
struct KeyEncoding {
  bool encoded = false;

  std::string text(std::string_view key) const;
};
Outcome<KeyEncoding> read_encoding(const Call& call);

}  // namespace dinette::s3
