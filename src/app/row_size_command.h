#pragma once

#include <string>

#include "dinette/base/result.h"
#include "dinette/cql/row_size.h"

#include "app/options.h"

namespace dinette::app {

/// Prints the size of a row of Amazon Keyspaces by both formulas. The error is a sentence for the user.
base::Result<void, std::string> run_row_size(const Options& options);

/// Returns what it prints.
std::string row_size_text(const cql::RowEstimate& earlier, const cql::RowEstimate& current);

}  // namespace dinette::app
