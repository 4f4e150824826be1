#include "dinette/aws/arn.h"

namespace dinette::aws {

std::string_view partition_of(std::string_view region) {
  if (region.starts_with("cn-")) return "aws-cn";
  return region.starts_with("us-gov-") ? "aws-us-gov" : "aws";
}

std::optional<Arn> parse_arn(std::string_view text) {
  constexpr std::string_view scheme = "arn:";
  if (!text.starts_with(scheme)) return std::nullopt;
  text.remove_prefix(scheme.size());
  Arn arn;
  for (std::string_view* part : {&arn.partition, &arn.service, &arn.region, &arn.account}) {
    const auto end = text.find(':');
    if (end == std::string_view::npos) return std::nullopt;
    *part = text.substr(0, end);
    text.remove_prefix(end + 1);
  }
  arn.resource = text;
  return arn;
}

}  // namespace dinette::aws
