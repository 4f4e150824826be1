#pragma once

#include <string_view>

#include "dynamodb/request/api_error.h"
#include "dynamodb/request/context.h"

namespace dinette::dynamodb {

/// The ARN of an export, which may not exist: views of the text.
struct ExportArn {
  std::string_view text;
  std::string_view table_arn;
  std::string_view id;
};

/// Returns the parts of an ARN that a request of the caller names an export by
/// (docs/service/export-import.md section 1).
Answer<ExportArn> parse_export_arn(const Context& context, std::string_view text);
base::Failure<ApiError> export_not_found(std::string_view arn);

/// Checks the ARN that names the table of an export, which may be in another region.
Answer<void> check_source_arn(const Context& context, std::string_view text);

/// Returns true if the text, which has passed that, is an ARN of the caller's region.
bool is_in_region(const Context& context, std::string_view arn);

}  // namespace dinette::dynamodb
