#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace dinette::s3 {

/// The algorithms of x-amz-checksum-..., in lower case.
inline constexpr std::array<std::string_view, 5> checksum_names{"crc32", "crc32c", "crc64nvme", "sha1",
                                                                "sha256"};

/// Returns the checksum of `bytes` in base64, as the header has it; nothing for other names.
std::optional<std::string> checksum(std::string_view name, std::string_view bytes);

}  // namespace dinette::s3
