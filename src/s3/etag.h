#pragma once

#include <string_view>

namespace dinette::s3 {

/// Returns an ETag of a header or of XML without the quotes around it, if any.
inline std::string_view without_quotes(std::string_view etag) {
  if (etag.size() >= 2 && etag.starts_with('"') && etag.ends_with('"'))
    return etag.substr(1, etag.size() - 2);
  return etag;
}

}  // namespace dinette::s3
