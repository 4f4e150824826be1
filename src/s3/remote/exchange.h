#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "dinette/http/client.h"
#include "dinette/s3/remote_store.h"
#include "dinette/s3/xml_reader.h"

namespace dinette::s3 {

/// A request to an S3 elsewhere.
struct RemoteRequest {
  std::string method = "GET";
  std::string bucket;
  std::string key = {};      ///< empty: of the bucket
  std::string query = {};    ///< without "?", encoded
  std::string headers = {};  ///< further header lines
  std::string body = {};
};

/// Sends requests to an S3 elsewhere. Thread-safe.
class Exchange {
 public:
  /// `clock` must outlive it.
  Exchange(RemoteOptions options, const base::Clock& clock) : options_(std::move(options)), clock_(clock) {}

  const RemoteOptions& options() const { return options_; }

  /// Returns the response of any status below 500, after as many attempts as are allowed.
  objects::Result<http::ClientResponse> send(const RemoteRequest& request);
  /// The same of a status of 2xx.
  objects::Result<http::ClientResponse> succeed(const RemoteRequest& request);
  /// Tries once, and takes every answer.
  void try_once(const RemoteRequest& request);

  void stop() { stop_.request_stop(); }

  /// Returns the error of a response that is not a success.
  objects::Error error_of(const http::ClientResponse& response) const;
  objects::Error unexpected(const std::string& what) const;

 private:
  base::Result<http::ClientResponse, http::ClientError> attempt(const RemoteRequest& request);
  objects::Error no_answer(http::ClientError error) const;
  std::string server() const;
  void pause(std::chrono::milliseconds length);

  const RemoteOptions options_;
  const base::Clock& clock_;
  std::stop_source stop_;
  std::mutex mutex_;
  std::condition_variable_any never_;
};

/// Returns the header ETag without its quotation marks.
std::string etag_of(const http::ClientResponse& response);

}  // namespace dinette::s3
