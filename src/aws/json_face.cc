#include "dinette/aws/json_face.h"

#include <utility>

namespace dinette::aws {

JsonFace::JsonFace(const JsonProtocol& protocol, const JsonFaceOptions& options,
                   std::unique_ptr<JsonOperations> operations, tenancy::Worlds& worlds,
                   const base::Clock& clock, base::Ids& ids)
    : operations_(std::move(operations)),
      service_(protocol,
               {.auth = options.auth,
                .cors_origins = options.cors_origins,
                .log_bodies = options.log_bodies,
                .recent = options.recent},
               *operations_, tenancy::Tenants(worlds, options.isolation), clock, ids) {}

JsonFace::~JsonFace() = default;

void JsonFace::handle(const http::Request& request, http::Response& response) {
  service_.handle(request, response);
}

void JsonFace::refuse(const http::Request& request, http::Response& response) {
  service_.refuse(request, response);
}

const observe::RequestCounters& JsonFace::requests() const {
  return service_.requests();
}

}  // namespace dinette::aws
