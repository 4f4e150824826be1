#pragma once

#include <string_view>

#include "tablestore/request/context.h"
#include "tablestore/tables/open_table.h"

/// The names of streams, of which a table has at most one (tablestore/streams.md section 1).
namespace dinette::tablestore {

/// All records of a stream are in one shard.
inline constexpr std::string_view only_shard = "shard-0";

/// Opens the table of a stream. Fails if there is no such stream, or not any more.
Answer<OpenTable> open_stream(const Context& context, std::string_view stream_id);

}  // namespace dinette::tablestore
