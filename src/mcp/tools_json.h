#pragma once

#include <string_view>

namespace dinette::mcp {

/// The text of api-specs/mcp/tools.json.
extern const std::string_view tools_json;

}  // namespace dinette::mcp
