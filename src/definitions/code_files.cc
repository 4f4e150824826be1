#include "code_files.h"

#include <memory>
#include <string>

namespace dinette::definitions {
namespace {

/// Returns true if a line begins with `text`. In templates, code is indented.
bool has_line(std::string_view content, std::string_view text) {
  for (std::size_t at = content.find(text); at != std::string_view::npos; at = content.find(text, at + 1)) {
    if (at == 0 || content[at - 1] == '\n') return true;
  }
  return false;
}

bool is_code(std::string_view content, const std::filesystem::path&) {
  return has_line(content, "module.exports") || has_line(content, "export default");
}

/// Returns the file's name if a shell and JavaScript take it as it is.
std::string plain_name(const std::filesystem::path& file) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
  std::string name = file.filename().string();
  return name.empty() || name.find_first_not_of(plain) != std::string::npos ? "FILE" : name;
}

/// Returns the command that writes the tables of a configuration of jest as JSON.
std::string node_command(const std::string& name, bool is_module) {
  const std::string load = is_module ? "import('./" + name + "').then(m=>m.default)"
                                     : "Promise.resolve(require('./" + name + "'))";
  return "node -e \"" + load +
         ".then(c=>typeof c=='function'?c():c).then(c=>console.log(JSON.stringify(c.tables)))\" > "
         "tables.json";
}

void refuse_code(std::string_view content, const Input& input, Definitions& to) {
  const bool is_serverless =
      content.find("service") != std::string_view::npos && content.find("provider") != std::string_view::npos;
  const std::string command =
      is_serverless ? "serverless print --format json > serverless.json"
                    : node_command(plain_name(input.file), !has_line(content, "module.exports"));
  to.errors.push_back({Place{std::make_shared<const std::string>(input.file.string()), 0},
                       "it is code, which is not run; read what this writes: " + command});
}

}  // namespace

constinit const TextFormat code_files_format = {"a configuration in JavaScript", is_code, refuse_code};

}  // namespace dinette::definitions
