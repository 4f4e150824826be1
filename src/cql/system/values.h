#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dinette/base/clock.h"
#include "dinette/base/md5.h"

/// Values of CQL as bytes of the native protocol (docs/service-keyspaces/types.md section 1).
namespace dinette::cql::system {

std::string int_value(std::int32_t number);
std::string bigint_value(std::int64_t number);
std::string double_value(double number);
std::string boolean_value(bool truth);
std::string timestamp_value(base::TimePoint moment);

/// Also of sets, whose elements must ascend.
std::string list_value(std::span<const std::string> elements);
std::string map_value(std::span<const std::pair<std::string, std::string>> entries);

/// Returns a UUID of version 3, made of a digest.
std::string uuid_value(base::Md5Digest digest);

/// Returns an address, 4 or 16 bytes, as Java writes it: "127.0.0.1", "0:0:0:0:0:0:0:1".
std::string address_text(std::string_view address);

}  // namespace dinette::cql::system
