#include <fstream>
#include <string>

#include <unistd.h>

#include "app/credentials/client_settings.h"

namespace dinette::app {
namespace {

constexpr std::size_t most_bytes = 1 << 20;

std::string contents_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text(most_bytes + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text.size() > most_bytes ? std::string() : text;
}

}  // namespace

ClientSurroundings surroundings_here() {
  ClientSurroundings here;
  for (char** one = environ; *one != nullptr; ++one) {
    const std::string_view text = *one;
    const auto equals = text.find('=');
    if (equals != std::string_view::npos)
      here.variables.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  const auto path_of = [&](const char* variable, const char* name) {
    const std::string set = here.variable(variable);
    return set.empty() ? here.variable("HOME") + "/.aws/" + name : set;
  };
  here.config = read_aws_file(contents_of(path_of("AWS_CONFIG_FILE", "config")));
  here.credentials = read_aws_file(contents_of(path_of("AWS_SHARED_CREDENTIALS_FILE", "credentials")));
  here.is_readable = [](const std::string& path) { return access(path.c_str(), R_OK) == 0; };
  return here;
}

}  // namespace dinette::app
