#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "dinette/keyspaces/service.h"

#include "cql/statements/session.h"

namespace test::keyspaces {

using Json = nlohmann::json;

/// An answer of the service, whole.
struct Reply {
  int status = 0;
  std::string body;

  Json json() const { return Json::parse(body); }
  /// "ConflictException: ...", or status and body of a success.
  std::string refusal() const;
};

/// Both APIs without sockets, in the world of a session of CQL.
class Keyspaces {
 public:
  explicit Keyspaces(dinette::keyspaces::ServiceOptions options = {});

  /// Calls an operation of `keyspaces`, or of `keyspacesstreams`.
  Reply call(std::string_view operation, std::string_view body);
  Json ok(std::string_view operation, const Json& body);
  std::string refusal(std::string_view operation, const Json& body) {
    return call(operation, body.dump()).refusal();
  }

  dinette::cql::test::Session& session() { return session_; }

 private:
  dinette::cql::test::Session session_;
  dinette::keyspaces::Service service_;
};

}  // namespace test::keyspaces
