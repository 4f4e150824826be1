#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "dinette/aws/auth_options.h"
#include "dinette/aws/json_service.h"
#include "dinette/base/clock.h"
#include "dinette/base/ids.h"
#include "dinette/face/face.h"
#include "dinette/http/message.h"
#include "dinette/observe/recent_requests.h"
#include "dinette/tenancy/tenants.h"
#include "dinette/tenancy/worlds.h"

namespace dinette::aws {

/// What every service beside DynamoDB is set up with.
struct JsonFaceOptions {
  AuthOptions auth = {};
  tenancy::Isolation isolation = {};
  /// Web origins that may call, as of dynamodb::ServiceOptions.
  std::string cors_origins = "local";
  /// How long what is made, changed or deleted stays in the states on the way.
  std::chrono::milliseconds state_delay{0};
  /// True if log lines may show the bodies of requests and responses.
  bool log_bodies = false;
  /// Receives the answered requests; may be null. Must outlive the face.
  observe::RecentRequests* recent = nullptr;
};

/// A face whose requests a JsonService answers, beside others of a port. Thread-safe.
class JsonFace : public face::Face {
 public:
  ~JsonFace() override;

  void handle(const http::Request& request, http::Response& response) final;
  void refuse(const http::Request& request, http::Response& response) final;
  const observe::RequestCounters& requests() const final;

 protected:
  /// `worlds`, `clock` and `ids` must outlive the object.
  JsonFace(const JsonProtocol& protocol, const JsonFaceOptions& options,
           std::unique_ptr<JsonOperations> operations, tenancy::Worlds& worlds, const base::Clock& clock,
           base::Ids& ids);

 private:
  const std::unique_ptr<JsonOperations> operations_;
  JsonService service_;
};

}  // namespace dinette::aws
