#include <algorithm>
#include <set>
#include <utility>

#include "dinette/definitions/definitions.h"
#include "dinette/definitions/read_node.h"

#include "format.h"
#include "keyspaces.h"
#include "read_file.h"
#include "terraform/terraform.h"

namespace dinette::definitions {
namespace {

Note whole_file(const std::filesystem::path& file, std::string text) {
  return {Place{std::make_shared<const std::string>(file.string()), 0}, std::move(text)};
}

void read_document(std::string_view content, const Input& input, Definitions& to) {
  RepeatedKeys repeated;
  auto root = read_node(content, input.file.string(), {}, &repeated);
  // CloudFormation accepts such templates.
  for (ReadError& key : repeated)
    to.warnings.push_back({key.place, std::move(key.reason) + "; its last value is read"});
  if (!root) {
    to.errors.push_back({root.error().place, std::move(root.error().reason)});
  } else if (const Format* const format = find_format(*root)) {
    to.format = format->name;
    format->read(*root, input, to);
  } else {
    to.errors.push_back(whole_file(input.file, "its format is not known; these are read: " + format_names()));
  }
}

/// Of a folder, the file that describes it is read: the manifest of a cloud assembly of CDK.
std::filesystem::path file_of(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored) ? path / "manifest.json" : path;
}

/// Returns why `file`, which `path` means, cannot be read.
std::string missing_text(const std::filesystem::path& path, const std::filesystem::path& file) {
  return path == file
             ? "it cannot be read"
             : "the folder has neither a manifest.json, as cloud assemblies of CDK have (cdk.out), nor "
               "*.tf, as modules of Terraform have";
}

/// A value that is evaluated several times, such as a name, would give the same note each time.
void drop_repeated(std::vector<Note>& notes) {
  std::set<std::string, std::less<>> seen;
  std::erase_if(
      notes, [&seen](const Note& note) { return !seen.insert(note.place.text() + '\n' + note.text).second; });
}

/// Does what needs all that was read.
void finish(Definitions& definitions) {
  share_client_side_timestamps(definitions);
  drop_repeated(definitions.warnings);
}

Definitions read_module(const std::filesystem::path& folder, const Surroundings& surroundings) {
  Surroundings with_files = surroundings;
  if (!with_files.read_file) with_files.read_file = reader_within(folder);
  Definitions definitions;
  read_terraform_module({folder, with_files}, definitions);
  finish(definitions);
  return definitions;
}

}  // namespace

const Node* TableDefinition::follow_up(std::string_view operation) const {
  const auto found = std::ranges::find(follow_ups, operation, &FollowUp::operation);
  return found == follow_ups.end() ? nullptr : &found->input;
}

std::function<std::optional<std::string>(const std::filesystem::path& file)> reader_within(
    const std::filesystem::path& folder) {
  return [folder](const std::filesystem::path& file) {
    return is_within(folder, file) ? read_regular_file(file) : std::nullopt;
  };
}

Definitions read_definitions(const std::filesystem::path& path, const Surroundings& surroundings) {
  const std::filesystem::path file = file_of(path);
  const auto content = read_regular_file(file);
  if (!content && path != file && is_terraform_module(path)) return read_module(path, surroundings);
  if (!content) {
    Definitions none;
    none.errors.push_back(whole_file(path, missing_text(path, file)));
    return none;
  }
  if (surroundings.read_file) return read_definitions(*content, file, surroundings);
  Surroundings with_files = surroundings;
  with_files.read_file = reader_within(file.parent_path());
  return read_definitions(*content, file, with_files);
}

Definitions read_definitions(std::string_view content, const std::filesystem::path& file,
                             const Surroundings& surroundings) {
  Definitions definitions;
  const Input input{file, surroundings};
  if (const TextFormat* const format = find_text_format(content, file)) {
    definitions.format = format->name;
    format->read(content, input, definitions);
  } else {
    read_document(content, input, definitions);
  }
  finish(definitions);
  return definitions;
}

}  // namespace dinette::definitions
