#pragma once

#include <memory>
#include <string>

#include "dinette/base/clock.h"
#include "dinette/base/ids.h"
#include "dinette/base/result.h"
#include "dinette/mcp/backend.h"

#include "app/options.h"
#include "app/program.h"

namespace dinette::app {

/// Returns what the tools of `dinette mcp` work on: the server of a URL, the data folder of --data, or tables
/// in memory, with those of --load. The references must outlive it. The error is a sentence for the user.
base::Result<std::unique_ptr<mcp::Backend>, std::string> open_mcp_backend(const Options& options,
                                                                          const DataOpeners& openers,
                                                                          const base::Clock& clock,
                                                                          base::Ids& ids);

}  // namespace dinette::app
