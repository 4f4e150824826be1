#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "dinette/aws/auth_options.h"
#include "dinette/base/clock.h"
#include "dinette/base/ids.h"
#include "dinette/face/face.h"
#include "dinette/http/message.h"
#include "dinette/observe/recent_requests.h"
#include "dinette/tenancy/tenants.h"
#include "dinette/tenancy/worlds.h"

/// Kinesis Data Streams. What it keeps is described in src/kinesis/FORMAT.md.
namespace dinette::kinesis {

/// Returns what a world needs for streams.
tenancy::WorldFace world_face();

struct ServiceOptions {
  aws::AuthOptions auth = {};
  tenancy::Isolation isolation = {};
  /// Web origins that may call, as of dynamodb::ServiceOptions.
  std::string cors_origins = "local";
  /// How long streams stay CREATING, UPDATING and DELETING.
  std::chrono::milliseconds state_delay{0};
  /// True if log lines may show the bodies of requests and responses.
  bool log_bodies = false;
  /// Receives the answered requests; may be null. Must outlive the service.
  observe::RecentRequests* recent = nullptr;
};

/// Answers Kinesis requests, each in the world that its caller sees; worlds must have world_face().
/// Thread-safe; worlds, clock and ids must outlive it. Signatures are verified by `clock`.
class Service final : public face::Face {
 public:
  Service(ServiceOptions options, tenancy::Worlds& worlds, const base::Clock& clock, base::Ids& ids);
  ~Service() override;

  /// Returns true for requests of operations, on a port shared with other services.
  static bool owns(const http::Request& request);

  void handle(const http::Request& request, http::Response& response) override;
  void refuse(const http::Request& request, http::Response& response) override;
  const observe::RequestCounters& requests() const override;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace dinette::kinesis
