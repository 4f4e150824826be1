#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/options.h"

namespace dinette::app {

/// Where a server listens.
struct Listening {
  std::vector<std::string> addresses;  ///< at least one
  std::uint16_t port = 0;
  std::string network_address;                        ///< of this machine, for others; empty: it has none
  std::vector<RegionPort> region_ports = {};          ///< that belong to one region each
  std::optional<std::uint16_t> tablestore_port = {};  ///< if Tablestore has one of its own
  std::optional<std::uint16_t> cql_port = {};         ///< if Amazon Keyspaces is served
};

/// What the server prints to standard output when it is ready. The first line is the one that tests and
/// scripts wait for; with DynamoDB Local's spelling, that program's lines precede it. Its URL reaches the
/// server from this machine. `has_page`: the program was built with it. `visitor_token`: with which callers
/// of other machines administrate, if the server made one up.
std::string greeting(const Options& options, const Listening& listening, bool has_page,
                     const std::string& visitor_token = {});

}  // namespace dinette::app
