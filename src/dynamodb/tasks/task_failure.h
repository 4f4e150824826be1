#pragma once

#include <string>

#include "dinette/base/ids.h"
#include "dinette/objects/object_store.h"

namespace dinette::dynamodb {

/// Why an export or an import has FAILED, as the service says it.
struct TaskFailure {
  std::string code;
  std::string message;
};

/// Returns what the service says when S3 answers with an error (docs/service/export-import.md section 1).
TaskFailure failure_of(const objects::Error& error, base::Ids& ids);

}  // namespace dinette::dynamodb
