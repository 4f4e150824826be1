#pragma once

#include "admin/call.h"

/// What tools for LocalStack and Moto ask for.
namespace dinette::admin {

/// POST /moto-api/reset.
Answer reset_as_moto(State& state, const Call& call);
/// GET /_localstack/health.
Answer health_as_localstack(State& state, const Call& call);
/// DELETE /_aws/dynamodb/expired, of LocalStack.
Answer delete_expired(State& state, const Call& call);

}  // namespace dinette::admin
