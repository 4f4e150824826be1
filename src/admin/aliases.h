#pragma once

#include "admin/call.h"

/// What tools for LocalStack and Moto ask for.
namespace dinette::admin {

/// Handles POST /moto-api/reset.
Answer reset_as_moto(State& state, const Call& call);
/// Handles GET /_localstack/health.
Answer health_as_localstack(State& state, const Call& call);
/// Handles DELETE /_aws/dynamodb/expired, of LocalStack.
Answer delete_expired(State& state, const Call& call);

}  // namespace dinette::admin
