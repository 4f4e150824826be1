#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace dinette::app {

/// A socket on which a Dinette of this machine listens.
struct ListeningDinette {
  std::string address;
  std::uint16_t port = 0;
  long process = 0;
};

/// Returns those of the same user and network, by Linux's /proc; elsewhere none. `proc`: tests have another
/// one.
std::vector<ListeningDinette> listening_dinettes(const std::filesystem::path& proc = "/proc");

}  // namespace dinette::app
