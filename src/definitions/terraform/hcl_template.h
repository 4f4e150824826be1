#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dinette/base/result.h"

namespace dinette::definitions::hcl {

/// A part of a text: what it says, or the expression of `${...}`.
struct TemplatePart {
  std::string text;
  bool is_expression = false;
};

/// Splits a text. `has_escapes`: it is quoted, so that backslashes are escapes. At least one part is
/// returned. A failure says what in it is not literal.
base::Result<std::vector<TemplatePart>, std::string> template_parts(std::string_view source,
                                                                    bool has_escapes);

/// Returns the lines of a heredoc `<<-` without the indentation that all of them have.
std::string without_indentation(std::string_view lines);

}  // namespace dinette::definitions::hcl
