#pragma once

#include "format.h"

namespace dinette::definitions {

/// Configurations that are code of JavaScript, such as jest-dynamodb-config.js and serverless.ts. They are
/// not run; the error says how to make JSON of them.
extern const TextFormat code_files_format;

}  // namespace dinette::definitions
