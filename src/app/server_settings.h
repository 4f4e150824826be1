#pragma once

#include <cstddef>
#include <memory>

#include "dinette/admin/api.h"
#include "dinette/dynamodb/service.h"
#include "dinette/http/server.h"
#include "dinette/kv/engine.h"
#include "dinette/store/worlds.h"

#include "app/options.h"

namespace dinette::app {

// Turns the command line's options into settings of the server's parts.

dynamodb::ServiceOptions service_settings(const Options& options, aws::Credentials credentials);

admin::ApiOptions admin_settings(const Options& options);

/// `origin` is empty and can be forked in constant time: each world starts as a fork of it.
store::WorldsOptions worlds_settings(const dynamodb::ServiceOptions& service,
                                     std::shared_ptr<kv::Engine> origin);

/// `may_block`: requests may wait for a disk or a network and need threads of their own.
http::ServerOptions server_settings(const Options& options, bool may_block);

/// Returns the maximum number of concurrent connections: as configured, if enough files may be open.
std::size_t connection_limit(const Options& options, std::size_t descriptors);

bool serves_tls(const Options& options);

}  // namespace dinette::app
