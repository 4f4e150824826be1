#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "dinette/aws/auth_options.h"
#include "dinette/base/clock.h"
#include "dinette/base/ids.h"
#include "dinette/face/face.h"
#include "dinette/http/message.h"
#include "dinette/objects/object_store.h"

/// A small S3 over HTTP.
namespace dinette::s3 {

/// The largest body that servers should accept: larger objects are uploaded in parts.
inline constexpr std::size_t most_body_bytes = 64 * 1024 * 1024;

struct ServiceOptions {
  aws::AuthOptions auth = {};
  /// Web origins that may call (http::CorsOptions).
  std::string cors_origins = "local";
};

/// Answers requests of S3's REST API, path style and virtual hosts: buckets, objects, their listings, and
/// multipart uploads. Buckets have no regions, owners, versions or access rights. Thread-safe.
class Service final : public face::Face {
 public:
  /// `store`, `clock` and `ids` must outlive it.
  Service(ServiceOptions options, objects::BucketStore& store, const base::Clock& clock, base::Ids& ids);
  ~Service() override;

  /// Returns true if a request is for S3, on a port shared with services that are called at "/" with
  /// X-Amz-Target.
  static bool owns(const http::Request& request);

  /// Returns true if a request without a signature, on a port shared with services that have paths, is for a
  /// bucket that exists, or calls the server by a host name of S3. May wait for the disk.
  bool has_bucket_of(const http::Request& request) const;

  /// Handles a request, but only where it may wait; else asks for that (http::Request::may_wait).
  void handle(const http::Request& request, http::Response& response) override;
  /// Converts a 413 response into S3's error.
  void refuse(const http::Request& request, http::Response& response) override;
  const observe::RequestCounters& requests() const override;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace dinette::s3
