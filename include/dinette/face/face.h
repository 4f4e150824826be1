#pragma once

#include "dinette/http/message.h"
#include "dinette/observe/request_counters.h"

namespace dinette::face {

/// Whatever answers somebody over HTTP: a service of AWS, S3, the administration. It knows nothing of ports.
/// Every member may be called from several threads at once.
class Face {
 public:
  Face() = default;
  Face(const Face&) = delete;
  Face& operator=(const Face&) = delete;
  virtual ~Face() = default;

  /// Answers a request, as an http::Handler does.
  virtual void handle(const http::Request& request, http::Response& response) = 0;

  /// Gives the face's own form and status to a response that the HTTP server made by itself, and logs it
  /// (http::ServerOptions::on_refusal).
  virtual void refuse(const http::Request& request, http::Response& response) = 0;

  /// Returns how many requests there were, and how long they took.
  virtual const observe::RequestCounters& requests() const = 0;
};

}  // namespace dinette::face
