#pragma once

#include <string>

namespace dinette::dynamodb::expr {

/// Why an expression is refused (always a ValidationException).
struct ExpressionError {
  /// The service's whole sentence, `Invalid UpdateExpression: ` included where it applies, without the
  /// envelope.
  std::string message;
  /// Found while running: no envelope even on Put, Update and Delete (docs/service/README.md, "Families that
  /// stay bare").
  bool bare = false;
};

}  // namespace dinette::dynamodb::expr
