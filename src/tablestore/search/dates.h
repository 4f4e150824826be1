#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dinette::tablestore::search {

/// Reads a date by the first of the formats that fits, such as `yyyy-MM-dd HH:mm:ss`; without formats as ISO
/// 8601 has it. Returns milliseconds since 1970, or nothing.
std::optional<std::int64_t> read_date(std::string_view text, const std::vector<std::string>& formats);

/// Reads a number by the first of the formats `epoch_second`, `epoch_millis`, `epoch_micros`, `epoch_nanos`;
/// without one of these it has milliseconds.
std::int64_t read_epoch(std::int64_t number, const std::vector<std::string>& formats);

}  // namespace dinette::tablestore::search
