#pragma once

#include <functional>
#include <string_view>

#include "dinette/aws/json_face.h"
#include "dinette/base/clock.h"
#include "dinette/base/ids.h"
#include "dinette/http/message.h"
#include "dinette/lambda/stream_sources.h"
#include "dinette/tenancy/worlds.h"

/// The event source mappings of Lambda: which functions are called with the records of which streams. What is
/// kept of them is described in src/lambda/FORMAT.md.
namespace dinette::lambda {

class Pollers;

/// Returns what a world needs for mappings. `pollers` deliver what the mappings of a world that is opened ask
/// for, and must outlive the worlds; null: nothing is delivered.
tenancy::WorldFace world_face(Pollers* pollers = nullptr);

/// Called after each committed change of a mapping, on the thread of the request.
using MappingsChanged =
    std::function<void(tenancy::World& world, std::string_view name_space, std::string_view uuid)>;

struct ServiceOptions : aws::JsonFaceOptions {
  /// The streams that can be mapped; null: any stream can. Must outlive the service.
  StreamSources* sources = nullptr;
  /// For what polls the streams of mappings, and erases mappings that are deleted; empty: nothing does.
  MappingsChanged mappings_changed = {};
};

/// Answers requests about mappings, each in the world that its caller sees; worlds must have world_face().
/// Thread-safe; worlds, clock and ids must outlive it. Signatures are verified by `clock`.
class Service final : public aws::JsonFace {
 public:
  Service(const ServiceOptions& options, tenancy::Worlds& worlds, const base::Clock& clock, base::Ids& ids);

  /// Returns true for requests about mappings, and for others that are signed for Lambda, on a port shared
  /// with other services.
  static bool owns(const http::Request& request);
};

}  // namespace dinette::lambda
