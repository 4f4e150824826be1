#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace dinette::cql {

/// Returns the bytes of a partition key, which its token is made of: the value of one column, or of several
/// each with its length, which is at most 65,535, and a zero (docs/service-keyspaces/types.md section 9).
std::string partition_key_bytes(std::span<const std::string_view> values);

/// Returns the token of a partition key by Murmur3, the order of partitions.
std::int64_t murmur3_token(std::string_view key_bytes);

}  // namespace dinette::cql
