#include "cloud_assembly.h"

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reading.h"
#include "stack_reader.h"
#include "template.h"

namespace dinette::definitions {
namespace cloudformation {
namespace {

constexpr int deepest_assembly = 5;

struct AssemblyStack {
  Node root;
  std::filesystem::path file;
  Surroundings surroundings;
};

bool is_assembly(const Node& root) {
  const Node* const artifacts = root.find("artifacts");
  return root.has("version") && artifacts != nullptr && artifacts->is_map();
}

std::string text_at(const Node* node) {
  return node == nullptr ? std::string() : node->scalar();
}

/// Takes account and region of "aws://111111111111/eu-west-1", as far as the app has said them.
void set_environment(std::string_view environment, Surroundings& surroundings) {
  constexpr std::string_view scheme = "aws://";
  if (!environment.starts_with(scheme)) return;
  environment.remove_prefix(scheme.size());
  const auto slash = environment.find('/');
  if (slash == std::string_view::npos) return;
  const std::string_view account = environment.substr(0, slash);
  const std::string_view region = environment.substr(slash + 1);
  if (!account.empty() && account != "unknown-account") surroundings.account = account;
  if (!region.empty() && region != "unknown-region") surroundings.region = region;
}

/// Reads the stacks of an assembly and of those within it.
class AssemblyReader {
 public:
  AssemblyReader(const Surroundings& surroundings, Definitions& to) : surroundings_(surroundings), to_(to) {}

  void run(const Node& manifest, const std::filesystem::path& file) {
    collect(manifest, file.parent_path(), 0);
    share_exports();
    std::vector<Input> inputs;
    for (const AssemblyStack& stack : stacks_) inputs.push_back(Input{stack.file, stack.surroundings});
    std::vector<std::unique_ptr<StackReader>> readers;
    for (std::size_t i = 0; i < stacks_.size(); ++i) {
      readers.push_back(std::make_unique<StackReader>(stacks_[i].root, inputs[i], reading_, 0, to_));
    }
    for (const auto& reader : readers) reader->read_tables();
    for (const auto& reader : readers) reader->read_triggers();
  }

 private:
  void collect(const Node& manifest, const std::filesystem::path& folder, int nesting) {
    const Node* const artifacts = manifest.find("artifacts");
    if (artifacts == nullptr) return;
    for (const Node::Member& artifact : artifacts->members()) {
      const std::string type = text_at(artifact.value.find("type"));
      if (type == "aws:cloudformation:stack") stack(artifact, folder);
      if (type == "cdk:cloud-assembly") assembly(artifact, folder, nesting);
    }
  }

  void stack(const Node::Member& artifact, const std::filesystem::path& folder) {
    const std::filesystem::path file = folder / text_at(artifact.value.find("properties", "templateFile"));
    auto root = read_other_file(file, surroundings_, reading_);
    if (!root) return fail(std::move(root.error()));
    AssemblyStack stack{*std::move(root), file, surroundings_};
    stack.surroundings.stack = text_at(artifact.value.find("properties", "stackName"));
    if (stack.surroundings.stack.empty()) stack.surroundings.stack = artifact.key;
    set_environment(text_at(artifact.value.find("environment")), stack.surroundings);
    stacks_.push_back(std::move(stack));
  }

  void assembly(const Node::Member& artifact, const std::filesystem::path& folder, int nesting) {
    const std::filesystem::path inner = folder / text_at(artifact.value.find("properties", "directoryName"));
    const auto manifest = read_other_file(inner / "manifest.json", surroundings_, reading_);
    if (!manifest) return fail(manifest.error());
    if (nesting == deepest_assembly) return fail({manifest->place(), "assemblies nest too deeply"});
    collect(*manifest, inner, nesting + 1);
  }

  /// Lets stacks import what the others export. An export may be made of an import of a third stack, and that
  /// stack may come later.
  void share_exports() {
    std::map<std::string, std::string, std::less<>> shared = surroundings_.imports;
    for (int round = 0; round < 2; ++round) {
      for (AssemblyStack& stack : stacks_) {
        stack.surroundings.imports = shared;
        shared.merge(exports_of(stack.root, Input{stack.file, stack.surroundings}, reading_));
      }
    }
    for (AssemblyStack& stack : stacks_) stack.surroundings.imports = shared;
  }

  void fail(ReadError error) { to_.errors.push_back({std::move(error.place), std::move(error.reason)}); }

  const Surroundings& surroundings_;
  Definitions& to_;
  Reading reading_;
  std::vector<AssemblyStack> stacks_;
};

void read_assembly(const Node& root, const Input& input, Definitions& to) {
  AssemblyReader(input.surroundings, to).run(root, input.file);
}

}  // namespace
}  // namespace cloudformation

constinit const Format cloud_assembly_format = {"a cloud assembly of CDK", &cloudformation::is_assembly,
                                                &cloudformation::read_assembly};

}  // namespace dinette::definitions
