#pragma once

#include <functional>
#include <string>

#include "dinette/base/result.h"

#include "app/program.h"
#include "app/transfer/transfer.h"

namespace dinette::app {

/// Where a command works.
struct WorkPlace {
  std::string name;          ///< the URL of a server or a database, or a data folder
  bool make_folder = false;  ///< the folder is made if there is none; else nothing in it changes
  std::string region = {};   ///< of the requests to a server; empty: the environment's
};

/// Opens the operations of a place and calls `work`, which ends early if the user interrupts the program.
/// Requests to a server are signed as open_server() says; `openers` may be null if the place is one.
/// The error is a sentence for the user.
base::Result<void, std::string> work_at(const DataOpeners& openers, const WorkPlace& place,
                                        const std::function<void(const Transfer&)>& work);

}  // namespace dinette::app
