#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/definitions/node.h"

namespace dinette::definitions::serverless {

/// One of the values that a variable may have: `self:custom.name`, `file(x.yml):a`, `'dev'`.
struct VariableSource {
  std::string text;  ///< as it is written
  std::optional<Node> literal;
  std::string type;                       ///< "self"; empty: a literal, or a text with variables
  std::optional<std::string> parameters;  ///< what is in parentheses
  std::string address;                    ///< what follows the colon; may have variables, as parameters may
};

/// A part of a text: what it says, or a variable of which the first source that has a value counts.
struct VariablePart {
  std::string text;                     ///< of a variable: all of it, `${...}`
  std::vector<VariableSource> sources;  ///< empty: no variable
};

/// Splits a text at its variables. `${AWS::Region}` and `${Orders}`, which are of CloudFormation, are no
/// variables, nor is `\${...}`.
std::vector<VariablePart> variable_parts(std::string_view text);

}  // namespace dinette::definitions::serverless
