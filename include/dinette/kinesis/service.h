#pragma once

#include "dinette/aws/json_face.h"
#include "dinette/base/clock.h"
#include "dinette/base/ids.h"
#include "dinette/http/message.h"
#include "dinette/tenancy/worlds.h"

/// Kinesis Data Streams. What it keeps is described in src/kinesis/FORMAT.md.
namespace dinette::kinesis {

/// Returns what a world needs for streams.
tenancy::WorldFace world_face();

using ServiceOptions = aws::JsonFaceOptions;

/// Answers Kinesis requests, each in the world that its caller sees; worlds must have world_face().
/// Thread-safe; worlds, clock and ids must outlive it. Signatures are verified by `clock`.
class Service final : public aws::JsonFace {
 public:
  Service(const ServiceOptions& options, tenancy::Worlds& worlds, const base::Clock& clock, base::Ids& ids);

  /// Returns true for requests of operations, on a port shared with other services.
  static bool owns(const http::Request& request);
};

}  // namespace dinette::kinesis
