#pragma once

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

bool serves_tls(const Options& options);

}  // namespace dinette::app
