#include "app/read_file.h"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "dinette/base/file_advice.h"
#include "dinette/base/json_error.h"

namespace dinette::app {

base::Result<std::string, std::string> read_file(const std::string& path, std::string_view what) {
  const auto failed = [&](int why) {
    return base::Failure{std::string("cannot read the ").append(what) + " " + path + ": " +
                         std::generic_category().message(why) + base::file_advice(path, why)};
  };
  // A folder can be opened as a file, and has nothing to read.
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) return failed(EISDIR);
  errno = 0;
  std::ifstream file(path);
  if (!file) return failed(errno);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

base::Result<std::string, std::string> read_json_file(const std::string& path, std::string_view what) {
  DINETTE_TRY(std::string json, read_file(path, what));
  const auto error = base::find_json_error(json);
  if (!error) return json;
  return base::Failure{std::string(what) + " " + path + ", " + error->place() + " is not JSON (" +
                       error->reason + ")"};
}

}  // namespace dinette::app
