#pragma once

#include <string>

#include "dinette/base/function_ref.h"

#include "dynamodb/api/restore_summary.h"
#include "dynamodb/api/table_description.h"
#include "dynamodb/api/table_filling.h"
#include "dynamodb/api/table_record.h"
#include "dynamodb/request/api_error.h"
#include "dynamodb/request/context.h"

/// What both restores do (docs/service/backups-pitr.md section 3).
namespace dinette::dynamodb {

/// Returns `Invalid Request: ` and then the sentence.
[[gnu::cold]] base::Failure<ApiError> invalid_request(const std::string& sentence);

/// The name of the table to make is free, and not too many tables are being restored.
Answer<void> check_target(const Context& context, const std::string& name);

/// A table to be made out of another one.
struct NewRestore {
  api::TableRecord table;  ///< but for what restore() knows itself
  /// Where in the past of the source the items are read. Nothing: as they are now.
  std::optional<codec::Timestamp> moment = std::nullopt;
  std::optional<std::int64_t> table_version = std::nullopt;  ///< of the source; nothing: the present one
};

/// Makes the table that `decide` says, and has it filled. `decide` sees the source under its lock and may
/// run more than once. Returns the new table's description. `source_gone` is the answer if there is no
/// source any more.
Answer<api::TableDescription> restore(const Context& context, const store::Table& source,
                                      base::FunctionRef<Answer<NewRestore>(const store::Table&)> decide,
                                      const std::string& name, base::Failure<ApiError> source_gone);

}  // namespace dinette::dynamodb
