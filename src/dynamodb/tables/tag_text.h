#pragma once

#include <string_view>

namespace dinette::dynamodb {

/// Returns true if well-formed UTF-8 has only characters that keys and values of tags may have: letters and
/// digits of any script, spaces, and `+ - = . _ : / @` (docs/service/ttl-tags.md section 2).
bool is_tag_text(std::string_view utf8);

}  // namespace dinette::dynamodb
