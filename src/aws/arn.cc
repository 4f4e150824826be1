#include "dinette/aws/arn.h"

namespace dinette::aws {

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
