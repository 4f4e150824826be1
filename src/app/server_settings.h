#pragma once

#include <cstddef>

#include "dinette/dynamodb/service.h"
#include "dinette/net/server.h"
#include "dinette/store/store.h"

#include "app/options.h"

namespace dinette::app {

// What the options of the command line mean to the parts of the server.

dynamodb::ServiceOptions service_settings(const Options& options, dynamodb::Credentials credentials);

store::StoreOptions store_settings(const dynamodb::ServiceOptions& service);

/// `may_block`: whether requests may wait for a disk or a network, and so need threads of their own.
net::ServerOptions server_settings(const Options& options, bool may_block);

/// Returns how many connections are served at once: as many as were asked for, if that many files may be
/// open.
std::size_t connection_limit(const Options& options, std::size_t descriptors);

bool serves_tls(const Options& options);

}  // namespace dinette::app
