#include <algorithm>
#include <array>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "../read_file.h"
#include "configuration.h"
#include "terraform.h"

namespace dinette::definitions {
namespace {

namespace fs = std::filesystem;

/// Types of blocks that only configurations have.
constexpr std::array<std::string_view, 11> block_types = {"resource",  "variable", "locals", "provider",
                                                          "terraform", "module",   "data",   "output",
                                                          "moved",     "removed",  "check"};

bool is_block_type(std::string_view type) {
  return std::ranges::find(block_types, type) != block_types.end();
}

/// Passes over blanks and comments.
std::string_view without_comments(std::string_view text) {
  for (;;) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    if (text.starts_with('#') || text.starts_with("//")) {
      text.remove_prefix(std::min(text.find('\n'), text.size()));
    } else if (text.starts_with("/*")) {
      const std::size_t end = text.find("*/");
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 2);
    } else {
      return text;
    }
  }
}

/// Returns what follows a name of Terraform at the begin of a text, which is not shorter if there is none.
std::string_view without_name(std::string_view text) {
  constexpr std::string_view in_names = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
  text.remove_prefix(std::min(text.find_first_not_of(in_names), text.size()));
  return text;
}

/// Returns true if a text begins with labels, quoted or not, and the rest of a block.
bool begins_with_labels(std::string_view text) {
  for (;;) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    if (text.starts_with('"') || text.starts_with('{')) return true;
    const std::string_view rest = without_name(text);
    if (rest.size() == text.size()) return false;
    text = rest;
  }
}

/// Returns true if a text begins with a body whose first member is an attribute. `import {` also begins code.
bool begins_with_attribute(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  if (!text.starts_with('{')) return false;
  const std::string_view rest = without_name(without_comments(text.substr(1)));
  return without_comments(rest).starts_with('=');
}

/// Returns true if a file begins with a block as only configurations have.
bool is_configuration(std::string_view content, const std::filesystem::path&) {
  if (content.starts_with("\xEF\xBB\xBF")) content.remove_prefix(3);
  content = without_comments(content);
  const std::size_t end = content.find_first_not_of("abcdefghijklmnopqrstuvwxyz");
  if (end == std::string_view::npos) return false;
  const std::string_view type = content.substr(0, end);
  content.remove_prefix(end);
  if (type == "import") return begins_with_attribute(content);
  return is_block_type(type) && begins_with_labels(content);
}

hcl::Syntax syntax_of(const fs::path& file) {
  return file.extension() == ".json" ? hcl::Syntax::json : hcl::Syntax::hcl;
}

/// Adds the values of variables that the user names files of.
void add_named_values(const Surroundings& surroundings, hcl::ConfigurationFiles& files) {
  for (const fs::path& file : surroundings.variable_files) {
    if (const auto content = read_regular_file(file)) {
      files.add_values(file, *content, syntax_of(file));
    } else {
      files.add_error(file, 0, "it cannot be read");
    }
  }
}

void read_configuration(std::string_view content, const Input& input, Definitions& to) {
  hcl::ConfigurationFiles files(to);
  files.add_configuration(input.file, content, hcl::Syntax::hcl);
  add_named_values(input.surroundings, files);
  read_configuration_files(files, input, to);
}

/// Returns true for blocks by their types.
bool has_blocks(const Node& resources) {
  return resources.is_list() ||
         (resources.is_map() && std::ranges::all_of(resources.members(), [](const Node::Member& type) {
            return type.value.is_map() || type.value.is_list();
          }));
}

bool is_json_configuration(const Node& root) {
  const Node* const resources = root.find("resource");
  return resources != nullptr && has_blocks(*resources) &&
         std::ranges::all_of(root.members(), [](const Node::Member& member) {
           return member.key == "//" || is_block_type(member.key);
         });
}

void read_json_configuration(const Node& root, const Input& input, Definitions& to) {
  hcl::ConfigurationFiles files(to);
  files.add_json_configuration(input.file, root);
  add_named_values(input.surroundings, files);
  read_configuration_files(files, input, to);
}

// A folder

constexpr std::size_t most_files = 1000;

bool is_configuration_name(std::string_view name) {
  return !name.starts_with('.') && (name.ends_with(".tf") || name.ends_with(".tf.json"));
}

/// Returns true for files whose blocks Terraform merges into those of others.
bool is_override_name(std::string_view name) {
  name = name.substr(0, name.find(".tf"));
  return name == "override" || name.ends_with("_override");
}

bool is_values_name(std::string_view name) {
  return name == "terraform.tfvars" || name == "terraform.tfvars.json" || name.ends_with(".auto.tfvars") ||
         name.ends_with(".auto.tfvars.json");
}

/// Returns the names of the files in a folder in the order in which Terraform reads them: the value of a
/// variable in a later one counts.
std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (is_configuration_name(name) || is_values_name(name)) names.push_back(name);
  }
  std::ranges::sort(names);
  // Not of std::ranges, whose result clang 14 cannot compile with this library.
  std::stable_partition(names.begin(), names.end(),
                        [](const std::string& name) { return name.starts_with("terraform.tfvars"); });
  return names;
}

}  // namespace

bool is_terraform_module(const fs::path& folder) {
  return std::ranges::any_of(names_in(folder), is_configuration_name);
}

void read_terraform_module(const Input& folder, Definitions& to) {
  to.format = terraform_configuration_format.name;
  hcl::ConfigurationFiles files(to);
  const std::vector<std::string> names = names_in(folder.file);
  if (names.size() > most_files)
    return files.add_error(folder.file, 0, "it has more than " + std::to_string(most_files) + " files");
  for (const std::string& name : names) {
    const fs::path file = folder.file / name;
    if (is_configuration_name(name) && is_override_name(name)) {
      to.warnings.push_back({Place{std::make_shared<const std::string>(file.string()), 0},
                             "it is not read, because files of this name change blocks of others"});
      continue;
    }
    const auto content = folder.surroundings.read_file(file);
    if (!content) {
      files.add_error(file, 0, "it cannot be read");
    } else if (is_configuration_name(name)) {
      files.add_configuration(file, *content, syntax_of(file));
    } else {
      files.add_values(file, *content, syntax_of(file));
    }
  }
  add_named_values(folder.surroundings, files);
  read_configuration_files(files, folder, to);
}

constinit const TextFormat terraform_configuration_format = {"a configuration of Terraform", is_configuration,
                                                             read_configuration};

constinit const Format terraform_json_configuration_format = {"a configuration of Terraform in JSON",
                                                              is_json_configuration, read_json_configuration};

}  // namespace dinette::definitions
