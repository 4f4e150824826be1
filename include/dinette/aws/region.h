#pragma once

#include <string_view>

namespace dinette::aws {

/// Returns the partition of ARNs that a region of AWS belongs to: `aws-cn` for those of China, `aws-us-gov`
/// for those of GovCloud, otherwise `aws`.
inline std::string_view partition_of(std::string_view region) {
  if (region.starts_with("cn-")) return "aws-cn";
  return region.starts_with("us-gov-") ? "aws-us-gov" : "aws";
}

}  // namespace dinette::aws
