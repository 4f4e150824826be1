#pragma once

#include <memory>
#include <string>
#include <vector>

#include "dinette/base/clock.h"
#include "dinette/base/ids.h"
#include "dinette/face/face.h"
#include "dinette/http/message.h"
#include "dinette/observe/recent_requests.h"
#include "dinette/observe/report.h"
#include "dinette/tenancy/worlds.h"

/// Tablestore of Alibaba Cloud. What it keeps is described in src/tablestore/FORMAT.md.
namespace dinette::tablestore {

/// Returns what a world needs for tables of Tablestore.
tenancy::WorldFace world_face();

struct AccessKey {
  std::string id;
  std::string secret;
};

struct ServiceOptions {
  /// Keys whose secrets are known. Their requests must be signed with these, and so are their replies.
  std::vector<AccessKey> keys = {};
  /// True if there are no other keys. Otherwise any key may call, and its secret is guessed, since most
  /// clients verify the signatures of replies: `sk`, `secret`, or the same as the key's id.
  bool strict = false;
  /// True if attribute columns may have all names that the service accepts, and not just the documented ones.
  bool loose_names = false;
  /// Receive the answered requests; may be null. Must outlive the service.
  observe::RecentRequests* recent = nullptr;
  observe::Reports* reports = nullptr;
};

/// Answers requests of Tablestore's clients, each in the world that its caller sees, and there in the
/// instance that it names; worlds must have world_face(). Thread-safe; worlds, clock and ids must outlive it.
/// Dates and signatures are verified by `clock`.
class Service final : public face::Face {
 public:
  Service(ServiceOptions options, tenancy::Worlds& worlds, const base::Clock& clock, base::Ids& ids);
  ~Service() override;

  /// Returns true for requests of Tablestore's clients, on a port shared with other services.
  static bool owns(const http::Request& request);

  void handle(const http::Request& request, http::Response& response) override;
  void refuse(const http::Request& request, http::Response& response) override;
  const observe::RequestCounters& requests() const override;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace dinette::tablestore
