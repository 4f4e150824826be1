#pragma once

#include "dinette/admin/api.h"
#include "dinette/face/face.h"
#include "dinette/s3/service.h"

namespace dinette::app {

/// Answers at the paths that lead into the administration, such as /metrics and /health, unless they are
/// paths of S3: bucket names are the user's. Its requests are counted by the face that answers. Thread-safe.
class FrontDoor final : public face::Face {
 public:
  /// `s3`: null if this server has no buckets. Both must outlive the object.
  FrontDoor(admin::Api& admin, s3::Service* s3) : admin_(admin), s3_(s3) {}

  /// Handles a request for which admin::Api::is_shortcut() is true, but only where it may wait.
  void handle(const http::Request& request, http::Response& response) override;
  void refuse(const http::Request& request, http::Response& response) override;
  const observe::RequestCounters& requests() const override { return admin_.requests(); }

 private:
  admin::Api& admin_;
  s3::Service* const s3_;
};

}  // namespace dinette::app
