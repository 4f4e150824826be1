#pragma once

#include <optional>
#include <string_view>

namespace dinette::aws {

/// `arn:<partition>:<service>:<region>:<account>:<resource>`, as views of the text.
struct Arn {
  std::string_view partition;
  std::string_view service;
  std::string_view region;
  std::string_view account;
  std::string_view resource;
};

/// Returns the parts of an ARN, or nothing if the text is not one.
std::optional<Arn> parse_arn(std::string_view text);

}  // namespace dinette::aws
