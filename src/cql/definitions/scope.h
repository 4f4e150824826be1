#pragma once

#include <memory>

#include "dinette/cql/definitions.h"

#include "cql/error.h"
#include "cql/schema/place.h"

namespace dinette::cql {

/// The place of a scope, with the store that it holds on to.
class ScopePlace {
 public:
  explicit ScopePlace(const DefinitionScope& scope)
      : store_(scope.world.store(face_id, scope.name_space)),
        place_{.world = scope.world,
               .store = *store_,
               .now = scope.world.clock().now(),
               .mode = scope.strict ? Mode::strict : Mode::lenient,
               .account = scope.account,
               .region = scope.region,
               .state_delay = scope.state_delay} {}
  ScopePlace(const ScopePlace&) = delete;
  ScopePlace& operator=(const ScopePlace&) = delete;

  const Place& operator*() const { return place_; }

 private:
  const std::shared_ptr<store::Store> store_;
  const Place place_;
};

/// Returns an error as callers outside see it.
base::Failure<DefinitionRefusal> refusal_of(Error error);

}  // namespace dinette::cql

/// As DINETTE_TRY, for a cql::Answer in a function that returns a Defined.
#define DINETTE_CQL_DEFINED(declaration, ...) \
  DINETTE_CQL_DEFINED_(DINETTE_CONCAT(dinette_defined_, __LINE__), declaration, (__VA_ARGS__))
#define DINETTE_CQL_DEFINED_(holder, declaration, expression)                     \
  auto holder = (expression);                                                     \
  if (!holder.ok()) return ::dinette::cql::refusal_of(std::move(holder).error()); \
  declaration = std::move(holder).value()
