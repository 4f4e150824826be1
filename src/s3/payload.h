#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "s3/call.h"

namespace dinette::s3 {

/// The bytes that a request sends.
struct Payload {
  std::string unpacked;    ///< of chunks
  std::string_view bytes;  ///< of `unpacked`, or of the request
  /// What the sender said of them, and is true: x-amz-checksum-... headers.
  std::vector<std::pair<std::string, std::string>> checksums;
};

/// Unpacks aws-chunked, and checks the length, Content-MD5, x-amz-content-sha256 and x-amz-checksum-... that
/// the request has, as headers or after the body. `payload` stays where it is.
Done read_payload(const Call& call, Payload& payload);

}  // namespace dinette::s3
