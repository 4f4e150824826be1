#pragma once

#include <map>
#include <string>
#include <string_view>

namespace dinette::app {

/// Settings by name, in lower case. One that has settings of its own, as those of services have, is named
/// with both: "dynamodb.endpoint_url".
using AwsSection = std::map<std::string, std::string>;
using AwsFile = std::map<std::string, AwsSection>;

/// Reads the text of ~/.aws/config or ~/.aws/credentials: sections by what is between their brackets. Passes
/// over lines that are none, as the SDKs do.
AwsFile read_aws_file(std::string_view text);

}  // namespace dinette::app
