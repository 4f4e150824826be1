#include "dynamodb/wire/access_gate.h"

#include "dynamodb/request/access.h"
#include "dynamodb/wire/access_requests.h"

namespace dinette::dynamodb::wire {

Answer<void> AccessGate::admit(const Context& context, std::string_view operation) {
  if (context.access) {
    DINETTE_TRY(const auto requests, access_requests(context, operation, request_));
    for (const ResourceAccess& one : requests) DINETTE_CHECK(context.access->check(context, one.request));
  }
  return GateLink::admit(context, operation);
}

}  // namespace dinette::dynamodb::wire
