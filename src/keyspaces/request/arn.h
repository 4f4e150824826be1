#pragma once

#include <optional>
#include <string>
#include <string_view>

/// Names of resources: `arn:<partition>:cassandra:<region>:<account>:/keyspace/<ks>/table/<t>/stream/<label>`
/// (docs/service-keyspaces/control-plane.md section 2).
namespace dinette::keyspaces {

/// Returns true if this may be the ARN of something, which the model demands.
bool is_arn(std::string_view text);

/// What an ARN names. Views of it.
struct NamedResource {
  std::string_view keyspace{};
  std::string_view table{};         ///< empty: the keyspace
  std::string_view stream_label{};  ///< empty: the table
};

/// Returns nothing if it names neither a keyspace, nor a table, nor a stream.
std::optional<NamedResource> resource_in(std::string_view arn);

}  // namespace dinette::keyspaces
