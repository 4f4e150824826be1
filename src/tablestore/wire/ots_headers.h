#pragma once

#include <optional>
#include <string_view>
#include <utility>

#include <boost/container/small_vector.hpp>

#include "dinette/http/message.h"

namespace dinette::tablestore::wire {

/// The headers of a request that are looked at, found in one pass; the first of a repeated name counts. Views
/// into the request.
struct OtsHeaders {
  explicit OtsHeaders(const http::Request& request);

  std::optional<std::string_view> date;
  std::optional<std::string_view> api_version;
  std::optional<std::string_view> access_key;
  std::optional<std::string_view> instance;
  std::optional<std::string_view> content_md5;
  std::optional<std::string_view> signature;
  std::optional<std::string_view> signature_v4;
  std::string_view sign_date;    ///< of a signature of version 4
  std::string_view sign_region;  ///< likewise
  std::string_view compress_type;
  std::optional<std::string_view> origin;  ///< of a web page that calls
  std::optional<std::string_view> world;   ///< tenancy::world_header
  std::string_view agent;                  ///< User-Agent
  std::string_view trace_parent;           ///< of W3C Trace Context
  bool spared_by_lists = false;            ///< `X-Dinette-Record: off`

  /// All that a signature covers.
  boost::container::small_vector<http::Header, 8> of_ots;

 private:
  void take(const http::Header& header);
};

}  // namespace dinette::tablestore::wire
