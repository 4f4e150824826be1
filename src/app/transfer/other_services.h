#pragma once

#include <string_view>

#include "dinette/base/clock.h"
#include "dinette/base/ids.h"
#include "dinette/dynamodb/service.h"
#include "dinette/keyspaces/service.h"
#include "dinette/lambda/service.h"
#include "dinette/tenancy/worlds.h"

#include "app/options.h"
#include "app/stream_sources.h"
#include "app/transfer/operations.h"

namespace dinette::app {

/// Amazon Keyspaces and the event source mappings of Lambda, for calls of this process, without sockets.
class OtherServices {
 public:
  /// `service`: settings of the DynamoDB next to them. `mappings_changed`: for what polls the streams of
  /// mappings; empty: nothing does. What is passed by reference, except for settings, must outlive the
  /// object.
  OtherServices(const Options& options, const dynamodb::ServiceOptions& service,
                lambda::MappingsChanged mappings_changed, tenancy::Worlds& worlds, const base::Clock& clock,
                base::Ids& ids);

  /// Calls an operation in a world: the name of a fork or "default". Fails if none of them has it.
  base::Result<OperationReply, NoReply> call(const ServiceCall& call, std::string_view world);

 private:
  ServedStreams streams_;
  keyspaces::Service keyspaces_;
  lambda::Service lambda_;
};

}  // namespace dinette::app
