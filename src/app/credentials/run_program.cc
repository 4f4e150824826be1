#include "app/credentials/run_program.h"

#include "dinette/base/child_program.h"

#include "app/credentials/credentials.h"

namespace dinette::app {

using base::Failure;
using End = base::ProgramResult::End;

base::Result<std::string, std::string> run_program(const std::string& command,
                                                   std::chrono::milliseconds patience) {
  auto result = base::run_program(
      {.arguments = {"/bin/sh", "-c", command}, .timeout = patience, .most_output = most_credential_bytes});
  switch (result.end) {
    case End::exited:
      if (result.code == 0) return std::move(result.output);
      return Failure{"failed with exit code " + std::to_string(result.code)};
    case End::signalled:
      return Failure{std::string("was ended by a signal")};
    case End::not_started:
      return Failure{std::string("cannot be started")};
    case End::timed_out:
    case End::too_much:
      break;
  }
  return Failure{std::string("did not end in time, or printed too much")};
}

}  // namespace dinette::app
