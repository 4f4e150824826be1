#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "dinette/base/result.h"
#include "dinette/http/server.h"
#include "dinette/s3/remote_store.h"

#include "app/options.h"

namespace dinette::app {

// Turns the command line's options into settings of the server, see also service_settings.h.

/// Returns true if other machines can reach the server but no token is set with which they may administrate
/// it.
bool needs_visitor_token(const Options& options);

/// Returns the folder of buckets; empty if they are in memory.
std::filesystem::path s3_folder(const Options& options);

/// Reads the URL of a service elsewhere, whose certificate must be trusted (AWS_CA_BUNDLE).
base::Result<tcp::Remote, std::string> read_service_url(std::string_view url);

/// Returns the settings of --s3-endpoint.
base::Result<s3::RemoteOptions, std::string> remote_settings(const Options& options);

/// `may_block`: some requests wait for a disk or a network, on threads of their own.
http::ServerOptions server_settings(const Options& options, bool may_block);

/// Returns the maximum number of concurrent connections: as configured, if enough files may be open.
std::size_t connection_limit(const Options& options, std::size_t descriptors);

bool serves_tls(const Options& options);

}  // namespace dinette::app
