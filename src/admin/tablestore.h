#pragma once

#include "admin/call.h"

/// Tables and rows of Tablestore.
namespace dinette::admin {

Answer list_tablestore_tables(State& state, const Call& call);
Answer read_tablestore_rows(State& state, const Call& call);

}  // namespace dinette::admin
