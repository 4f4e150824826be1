#include "resource_types.h"

#include <algorithm>
#include <array>

#include "dinette/aws/region.h"
#include "dinette/base/ascii.h"

namespace dinette::definitions::cloudformation {
namespace {

constexpr std::string_view stream_part = "/stream/";

struct NamedType {
  std::string_view type;
  std::string_view property;
};

constexpr auto named_types = std::to_array<NamedType>({
    {table_type, "TableName"},
    {global_table_type, "TableName"},
    {simple_table_type, "TableName"},
    {function_type, "FunctionName"},
    {keyspace_type, "KeyspaceName"},
    {keyspaces_table_type, "TableName"},
    {user_type_type, "TypeName"},
    {"AWS::Lambda::Function", "FunctionName"},
    {"AWS::Kinesis::Stream", "Name"},
    {"AWS::S3::Bucket", "BucketName"},
    {"AWS::SQS::Queue", "QueueName"},
});

/// Returns the second or third part of "AWS::KMS::Key" in lower case.
std::string part_of_type(std::string_view type, int part) {
  for (; part > 0; --part) {
    const auto colons = type.find("::");
    if (colons == std::string_view::npos) return "resource";
    type.remove_prefix(colons + 2);
  }
  std::string text(type.substr(0, type.find("::")));
  std::ranges::transform(text, text.begin(), base::to_lower);
  return text;
}

/// Returns what an ARN has between the account and the name.
std::string kind_in_arn(std::string_view service, std::string_view type) {
  if (service == "lambda") return "function:";
  if (service == "sqs" || service == "sns" || service == "s3") return {};
  return (service == "dynamodb" ? "table" : part_of_type(type, 2)) + '/';
}

}  // namespace

std::string_view type_of_resource(const Node& resource) {
  const Node* const type = resource.find("Type");
  return type == nullptr ? std::string_view() : std::string_view(type->scalar());
}

bool is_table_type(std::string_view type) {
  return type == table_type || type == global_table_type || type == simple_table_type;
}

bool is_keyspaces_type(std::string_view type) {
  return type == keyspace_type || type == keyspaces_table_type || type == user_type_type;
}

std::string_view kind_of_resource(std::string_view type) {
  if (type == keyspace_type) return "keyspace";
  if (type == keyspaces_table_type) return "Keyspaces table";
  return type == user_type_type ? "Keyspaces type" : "table";
}

std::string_view name_property(std::string_view type) {
  const auto* const found = std::ranges::find(named_types, type, &NamedType::type);
  return found == named_types.end() ? std::string_view() : found->property;
}

std::string arn_of(std::string_view type, std::string_view name, std::string_view region,
                   std::string_view account) {
  std::string service = part_of_type(type, 1);
  if (is_table_type(type)) service = "dynamodb";
  if (type == function_type) service = "lambda";
  std::string arn("arn:");
  arn.append(aws::partition_of(region)).append(":").append(service) += ':';
  if (service != "s3") (arn += region).append(":").append(account) += ':';
  if (service == "s3") arn += "::";
  return arn + kind_in_arn(service, type) + std::string(name);
}

std::string stream_arn_of(std::string_view table, std::string_view region, std::string_view account) {
  return arn_of(table_type, table, region, account) + std::string(stream_part) + "2000-01-01T00:00:00.000";
}

std::string_view table_of_stream_arn(std::string_view arn) {
  constexpr std::string_view table_part = ":table/";
  if (!arn.starts_with("arn:") || arn.find(":dynamodb:") == std::string_view::npos) return {};
  const auto table = arn.find(table_part);
  const auto stream = arn.rfind(stream_part);
  if (table == std::string_view::npos || stream == std::string_view::npos) return {};
  const auto begin = table + table_part.size();
  return begin <= stream ? arn.substr(begin, stream - begin) : std::string_view();
}

}  // namespace dinette::definitions::cloudformation
