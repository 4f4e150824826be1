#pragma once

#include <optional>
#include <string>
#include <string_view>

/// Names of functions, streams and other resources in requests (docs/service/triggers.md section 1.1). Where
/// the patterns of the service have a region, those of this server are accepted, too, such as `local`.
namespace dinette::lambda {

// What the patterns of api-specs/lambda/shapes.json match.

bool is_arn(std::string_view text);
bool is_function_name(std::string_view text);
bool is_destination(std::string_view text);
bool is_key_arn(std::string_view text);

/// The parts of a function's name, partial ARN or ARN: views of it. All but the name may be empty.
struct FunctionName {
  std::string_view partition;
  std::string_view region;
  std::string_view account;
  std::string_view name;
  std::string_view qualifier;  ///< such as "$LATEST", a version or an alias
};

/// Returns nothing if the text names no function.
std::optional<FunctionName> read_function_name(std::string_view text);

/// Returns the ARN, which has the qualifier that was given. What the name does not say is the caller's; the
/// partition is that of the region.
std::string arn_of(const FunctionName& function, std::string_view account, std::string_view region);

/// Returns `name` or `name:qualifier`.
std::string qualified_name(const FunctionName& function);

enum class SourceKind { dynamodb_stream, kinesis_stream };

/// Returns nothing for the ARN of something else.
std::optional<SourceKind> kind_of_source(std::string_view arn);

}  // namespace dinette::lambda
