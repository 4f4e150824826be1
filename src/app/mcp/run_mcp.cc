#include "app/mcp/run_mcp.h"

#include <iostream>

#include "dinette/base/clock.h"
#include "dinette/base/ids.h"
#include "dinette/base/log.h"
#include "dinette/mcp/server.h"

#include "app/mcp/mcp_backend.h"

namespace dinette::app {

base::Result<void, std::string> run_mcp(const Options& options, const DataOpeners& openers) {
  base::configure_log(options.log_level, options.log_format);
  const base::SystemClock clock;
  base::SystemIds ids;
  DINETTE_TRY(const auto backend, open_mcp_backend(options, openers, clock, ids));
  mcp::Server server({.allow_writes = options.allow_writes,
                      .import_folder = options.import_folder,
                      .version = DINETTE_VERSION},
                     *backend);
  std::ios::sync_with_stdio(false);  // reads whole blocks
  mcp::serve_lines(server, std::cin, std::cout);
  return {};
}

}  // namespace dinette::app
