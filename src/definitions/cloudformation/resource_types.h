#pragma once

#include <string>
#include <string_view>

#include "dinette/definitions/node.h"

namespace dinette::definitions::cloudformation {

inline constexpr std::string_view table_type = "AWS::DynamoDB::Table";
inline constexpr std::string_view global_table_type = "AWS::DynamoDB::GlobalTable";
inline constexpr std::string_view simple_table_type = "AWS::Serverless::SimpleTable";
inline constexpr std::string_view function_type = "AWS::Serverless::Function";
inline constexpr std::string_view mapping_type = "AWS::Lambda::EventSourceMapping";
inline constexpr std::string_view keyspace_type = "AWS::Cassandra::Keyspace";
inline constexpr std::string_view keyspaces_table_type = "AWS::Cassandra::Table";
inline constexpr std::string_view user_type_type = "AWS::Cassandra::Type";
inline constexpr std::string_view stack_type = "AWS::CloudFormation::Stack";

/// Returns the Type of a resource; empty if it has none.
std::string_view type_of_resource(const Node& resource);
/// Returns true for the tables of DynamoDB.
bool is_table_type(std::string_view type);
/// Returns true for keyspaces, and what is in them.
bool is_keyspaces_type(std::string_view type);

/// Returns what messages call a resource of which tables or keyspaces are made: "table".
std::string_view kind_of_resource(std::string_view type);

/// Returns the property that names resources of the type, such as TableName; empty if it is not known.
std::string_view name_property(std::string_view type);

/// Returns an ARN of the form that resources of the type have.
std::string arn_of(std::string_view type, std::string_view name, std::string_view region,
                   std::string_view account);

/// Returns the ARN of a table's stream, with a label that no stream has.
std::string stream_arn_of(std::string_view table, std::string_view region, std::string_view account);

/// Returns the table's name in the ARN of a stream; empty if it is not such an ARN.
std::string_view table_of_stream_arn(std::string_view arn);

}  // namespace dinette::definitions::cloudformation
