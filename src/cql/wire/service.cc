#include "dinette/cql/service.h"

#include <utility>

#include "cql/frames/replies.h"
#include "cql/schema/place.h"
#include "cql/schema/table_schema.h"
#include "cql/wire/background.h"
#include "cql/wire/connection.h"
#include "cql/wire/endpoint.h"
#include "cql/wire/prompt.h"

namespace dinette::cql {

tenancy::WorldFace world_face() {
  return {{.id = face_id, .decode = &schema::decode}, &wire::resume};
}

class Service::Impl {
 public:
  Impl(ServiceOptions options, tenancy::Worlds& worlds, const base::Clock& clock, base::Ids& ids)
      : endpoint(std::move(options), worlds, clock, ids) {}

  wire::Endpoint endpoint;
};

Service::Service(ServiceOptions options, tenancy::Worlds& worlds, const base::Clock& clock, base::Ids& ids)
    : impl_(std::make_unique<Impl>(std::move(options), worlds, clock, ids)) {}

Service::~Service() = default;

std::unique_ptr<tcp::Protocol> Service::make(tcp::Link& link, tcp::Peer peer) {
  return std::make_unique<wire::Connection>(impl_->endpoint, link, std::move(peer));
}

std::string Service::turn_away(const tcp::Peer&) {
  const std::string body = frames::error_body(ErrorCode::server_error, "The server has too many connections");
  return frames::reply_frame(frames::Version::v4, 0, frames::Opcode::error, body);
}

Prompted<PromptAnswer> Service::run(const PromptStatement& statement) {
  return wire::run_prompt(impl_->endpoint, statement);
}

DefinitionScope Service::scope_in(tenancy::World& world) const {
  const ServiceOptions& options = impl_->endpoint.options();
  return {.world = world,
          .name_space = impl_->endpoint.name_space(),
          .account = options.account,
          .region = options.region,
          .strict = options.strict,
          .state_delay = options.state_delay};
}

const observe::RequestCounters& Service::requests() const {
  return impl_->endpoint.requests();
}

void Service::write_figures(observe::MetricsWriter& text) const {
  impl_->endpoint.write_figures(text);
}

}  // namespace dinette::cql
