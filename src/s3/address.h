#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "dinette/http/message.h"

namespace dinette::s3 {

/// What a request is about. Both empty: the buckets.
struct Address {
  std::string bucket;
  std::string key;
};

/// Returns true if the host is one of S3's names, such as "s3.localhost" or "bucket.s3.example".
bool is_host_of_s3(const http::Request& request);

/// Reads "/bucket/key", or "/key" of a host that begins with the bucket: "bucket.s3.example",
/// "bucket.s3-region.example", and "bucket.localhost", if `exists` says that there is such a bucket or the
/// path could mean nothing else.
Address address_of(const http::Request& request, const std::function<bool(const std::string&)>& exists);

}  // namespace dinette::s3
