#pragma once

#include <string_view>

#include "dynamodb/request/api_error.h"
#include "dynamodb/request/context.h"

namespace dinette::dynamodb {

/// The ARN `<table ARN>/<kind>/<id>` of something that may not exist: views of the text.
struct DatedArn {
  std::string_view table_arn;
  std::string_view id;  ///< 14 digits, `-` and 8 hexadecimal digits
};

/// Returns the parts of an ARN by which a request of the caller names an import or a bulk operation. `kind`,
/// such as `import`, is its part after the table. A ValidationException `invalid` for another kind of ARN,
/// AccessDeniedException for another account's.
Answer<DatedArn> parse_dated_arn(const Context& context, std::string_view text, std::string_view kind,
                                 std::string_view invalid);

}  // namespace dinette::dynamodb
