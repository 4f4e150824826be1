#pragma once

#include "dinette/aws/json_face.h"
#include "dinette/base/clock.h"
#include "dinette/base/ids.h"
#include "dinette/http/message.h"
#include "dinette/tenancy/worlds.h"

/// The AWS JSON APIs of Amazon Keyspaces: `keyspaces`, which defines keyspaces, tables and types, and
/// `keyspacesstreams`, which reads changes of tables. They keep nothing of their own: what they work on is
/// that of dinette/cql/service.h.
namespace dinette::keyspaces {

struct ServiceOptions : aws::JsonFaceOptions {
  /// True: enforces the quotas of the service.
  bool strict = false;
};

/// Answers requests of both APIs, each in the world that its caller sees; worlds must have cql::world_face().
/// Thread-safe; worlds, clock and ids must outlive it. Signatures are verified by `clock`.
class Service final : public aws::JsonFace {
 public:
  Service(const ServiceOptions& options, tenancy::Worlds& worlds, const base::Clock& clock, base::Ids& ids);

  /// Returns true for requests of operations, on a port shared with other services.
  static bool owns(const http::Request& request);
};

}  // namespace dinette::keyspaces
