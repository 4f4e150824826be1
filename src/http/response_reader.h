#pragma once

#include <memory>
#include <string_view>

#include "dinette/http/client.h"

namespace dinette::http {

enum class ResponseState {
  need_bytes,
  complete,
  not_http,
  too_large,
  cut,  ///< the connection ended before the response did
};

/// Turns the bytes of a connection into one response, without sockets. Interim responses (1xx) are skipped.
class ResponseReader {
 public:
  /// `to_head`: the response answers a HEAD and has no body, whatever its headers say.
  ResponseReader(const ClientLimits& limits, bool to_head);
  ~ResponseReader();
  ResponseReader(const ResponseReader&) = delete;
  ResponseReader& operator=(const ResponseReader&) = delete;

  ResponseState received(std::string_view bytes);
  /// Notes that the server has closed the connection, which ends some responses.
  ResponseState ended();
  /// Returns the complete response; may be called once.
  ClientResponse take();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace dinette::http
