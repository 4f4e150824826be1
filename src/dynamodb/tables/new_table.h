#pragma once

#include "dynamodb/api/create_table.h"
#include "dynamodb/api/table_record.h"
#include "dynamodb/request/context.h"

namespace dinette::dynamodb {

/// Returns a table as a checked request wants it, CREATING from now on, without a stream.
api::TableRecord new_table(const Context& context, const api::CreateTableInput& input);

}  // namespace dinette::dynamodb
