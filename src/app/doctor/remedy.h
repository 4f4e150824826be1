#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace dinette::app {

/// A variable of the environment, and what it is to be; nothing: unset.
struct Assignment {
  std::string name;
  std::optional<std::string> value;
};

/// What makes a finding go away.
struct Remedy {
  std::string command = {};                  ///< to type first; empty: none
  std::vector<Assignment> environment = {};  ///< for the clients, and for the next run of the doctor
  std::string note = {};                     ///< empty: none
};

/// Returns a remedy as lines for a shell.
std::string text_of(const Remedy& remedy);

/// Returns lines for a shell that set and unset the variables; empty if there are none.
std::string text_of(const std::vector<Assignment>& environment);

}  // namespace dinette::app
