#pragma once

#include <functional>
#include <memory>
#include <string>

#include "dinette/base/clock.h"

#include "app/transfer/operations.h"

namespace dinette::app {

/// A server that a command is to call.
struct ServerPlace {
  std::string name;          ///< "aws", or a URL
  std::string profile = {};  ///< empty: as the environment says
  std::string region = {};   ///< empty: as the environment or the profile says
  bool of_streams = false;   ///< DynamoDB Streams is meant, which has hosts of its own in AWS
};

/// A server that can be called.
struct OpenedServer {
  std::unique_ptr<Operations> operations;
  std::function<void()> renew;  ///< forgets credentials that have expired
  std::string url;
  std::string signed_by;  ///< where the credentials are from, for the user
};

/// Returns true for what open_server() opens: "aws", or a URL.
bool is_server(const std::string& name);

/// Finds out where a server is, and who signs requests to it: AWS, and other servers with a profile, get the
/// user's credentials; other servers those of the environment, or any. `clock` must outlive it. The error is
/// a sentence for the user.
base::Result<OpenedServer, std::string> open_server(const ServerPlace& place, const base::Clock& clock);

}  // namespace dinette::app
