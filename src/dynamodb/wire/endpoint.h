#pragma once

#include <span>
#include <string>
#include <string_view>

#include "dinette/aws/json.h"
#include "dinette/aws/operation_kind.h"
#include "dinette/aws/shape.h"

#include "dynamodb/request/context.h"
#include "dynamodb/wire/named_tables.h"

namespace dinette::dynamodb::wire {

class TypeLenience;

/// A request for one operation.
struct Call {
  const aws::Operation& operation;
  Context& context;
  const aws::RequestBody& body;
  TypeLenience& types;
};

/// Decodes and checks a request's body, runs the operation, and appends the response's JSON to `reply`.
using ServeFunction = Answer<void>(const Call& call, std::string& reply);

struct Endpoint {
  const aws::Operation* operation;
  ServeFunction* serve;
  aws::OperationKind kind;
  NamingMembers naming_members = {};
};

/// Returns every served operation, and its `X-Amz-Target` at the same position, ascending. scripts/gen_api.py
/// writes them and the next from the specs.
std::span<const Endpoint> endpoints();
std::span<const std::string_view> served_targets();

/// The targets of operations that are not served yet, ascending.
std::span<const std::string_view> planned_targets();

}  // namespace dinette::dynamodb::wire
