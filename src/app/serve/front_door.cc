#include "app/serve/front_door.h"

namespace dinette::app {

void FrontDoor::handle(const http::Request& request, http::Response& response) {
  // Looking up a bucket may read the disk.
  response.must_wait = !request.may_wait;
  if (response.must_wait) return;
  if (s3_ != nullptr && s3_->has_bucket_of(request)) return s3_->handle(request, response);
  admin_.handle(request, response);
}

void FrontDoor::refuse(const http::Request& request, http::Response& response) {
  admin_.refuse(request, response);
}

}  // namespace dinette::app
