#pragma once

#include <cstddef>
#include <memory>

#include "dinette/dynamodb/service.h"
#include "dinette/http/server.h"
#include "dinette/kv/engine.h"
#include "dinette/store/worlds.h"

#include "app/options.h"

namespace dinette::app {

// What the options of the command line mean to the parts of the server.

dynamodb::ServiceOptions service_settings(const Options& options, aws::Credentials credentials);

/// `origin` has no data, and forks in constant time: each world begins as a fork of it.
store::WorldsOptions worlds_settings(const dynamodb::ServiceOptions& service,
                                     std::shared_ptr<kv::Engine> origin);

/// `may_block`: whether requests may wait for a disk or a network, and so need threads of their own.
http::ServerOptions server_settings(const Options& options, bool may_block);

/// Returns how many connections are served at once: as many as were asked for, if that many files may be
/// open.
std::size_t connection_limit(const Options& options, std::size_t descriptors);

bool serves_tls(const Options& options);

}  // namespace dinette::app
