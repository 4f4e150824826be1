#pragma once

#include <string>
#include <string_view>

#include "dinette/objects/object_store.h"

namespace dinette::dynamodb {

/// Why an import has failed, as DescribeImport says it.
struct ImportFailure {
  std::string code;
  std::string message;
};

/// Returns what the service makes of an error of S3 (docs/service/export-import.md section 1).
ImportFailure failure_of(const objects::Error& error, std::string_view request_id);

ImportFailure items_failed();
ImportFailure table_exists(std::string_view name);

}  // namespace dinette::dynamodb
