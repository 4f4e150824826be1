#pragma once

#include <functional>
#include <memory>
#include <string>

#include "dinette/base/clock.h"

#include "app/options.h"
#include "app/transfer/operations.h"

namespace dinette::app {

/// A source that can be called.
struct OpenedSource {
  std::unique_ptr<Operations> operations;
  std::function<void()> renew;  ///< forgets credentials that have expired
  std::string url;
  std::string signed_by;  ///< where the credentials are from, for the user
};

/// Finds out where `--from` is, and who signs requests to it: AWS, and other servers with --profile, get the
/// user's credentials; other servers those of the environment, or any. `clock` must outlive it.
base::Result<OpenedSource, std::string> open_source(const Options& options, const base::Clock& clock);

}  // namespace dinette::app
