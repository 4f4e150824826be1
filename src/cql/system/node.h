#pragma once

#include <string>
#include <string_view>

#include "cql/error.h"
#include "cql/schema/place.h"
#include "cql/schema/schema.h"

namespace dinette::cql::system {

/// Returns the id of the schema, 16 bytes of a UUID: the same until a statement changes the schema. The cost
/// is proportional to the number of tables.
Answer<std::string> schema_version(const Place& place);

/// Returns the id of a node, 16 bytes of a UUID, which depends on its address alone.
std::string host_id(std::string_view address);

/// Returns the ARN of a keyspace, with its final slash.
std::string keyspace_arn(const Place& place, std::string_view keyspace);
std::string table_arn(const Place& place, std::string_view keyspace, std::string_view table);
/// Returns the ARN of a stream of a table's changes, and the label at its end: when the stream began.
std::string stream_arn(const Place& place, const schema::Table& table, const schema::ChangeStream& stream);
std::string stream_label(const schema::ChangeStream& stream);

}  // namespace dinette::cql::system
