#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "dinette/base/clock.h"
#include "dinette/base/compression.h"
#include "dinette/http/message.h"
#include "dinette/observe/request_details.h"

#include "tablestore/request/api_error.h"
#include "tablestore/wire/key_ring.h"
#include "tablestore/wire/ots_headers.h"

namespace dinette::tablestore::wire {

/// One request and its reply, with what goes into the log.
struct Call {
  using Steady = std::chrono::steady_clock;

  Call(const http::Request& asked, http::Response& answer, std::string its_id)
      : request(asked), headers(asked), response(answer), id(std::move(its_id)), body(asked.body) {}

  /// The path without its first slash.
  std::string_view path() const {
    const std::string_view path = request.path();
    return path.substr(path.starts_with('/') ? 1 : 0);
  }

  const http::Request& request;
  const OtsHeaders headers;
  http::Response& response;
  const std::string id;
  const Steady::time_point start = Steady::now();
  observe::RequestDetails* details = nullptr;  ///< null: it is neither recorded nor logged
  std::optional<Signer> signer;                ///< none without an access key
  base::Decompressed unpacked;
  std::string_view body;                 ///< of the request; unpacked, if it was compressed
  std::optional<std::size_t> operation;  ///< its position among the endpoints
  std::optional<ApiError> error;         ///< none: success
};

}  // namespace dinette::tablestore::wire
