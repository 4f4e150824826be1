#include "seeds.h"

#include <algorithm>
#include <string>
#include <utility>

#include "../node_members.h"

namespace dinette::definitions::serverless {
namespace {

/// Reads the configuration of one of the plugins.
class SeedReader {
 public:
  SeedReader(Variables& variables, const Input& input, Definitions& to)
      : variables_(variables), folder_(input.file.parent_path()), to_(to) {}

  void add(const Node& written) {
    const auto plugin = variables_.resolve(written);
    if (!plugin) {
      if (written.has("seed"))
        to_.warnings.push_back({written.place(), "its seeds are left out: " + plugin.error()});
      return;
    }
    const Node* const seed = plugin->find("seed");
    const Node* const start = plugin->find("start", "seed");
    if (seed == nullptr || start == nullptr || !is_for_stage(*plugin)) return;
    for (const Node::Member& category : seed->members()) {
      if (is_chosen(*start, category.key)) add_category(category.value);
    }
  }

 private:
  bool is_for_stage(const Node& plugin) {
    const Node* const stages = plugin.find("stages");
    return stages == nullptr || stages->elements().empty() ||
           std::ranges::any_of(stages->elements(),
                               [&](const Node& stage) { return stage.scalar() == variables_.stage(); });
  }

  /// `seed: true` means all categories, a text those that it names: `domain,test`.
  static bool is_chosen(const Node& start, const std::string& category) {
    if (!start.is_text()) return start.scalar() == "true";
    return start.scalar() == "true" ||
           (',' + start.scalar() + ',').find(',' + category + ',') != std::string::npos;
  }

  void add_category(const Node& category) {
    const Node* const sources = category.find("sources");
    if (sources == nullptr) return;
    for (const Node& source : sources->elements()) {
      add_files(source, "sources", false);
      add_files(source, "rawsources", true);
    }
  }

  void add_files(const Node& source, std::string_view member, bool typed) {
    const Node* const files = source.find(member);
    if (files == nullptr) return;
    for (const Node& file : files->elements()) {
      // The plugins append a path to the service's folder, also one that begins with a slash.
      const std::string path =
          file.scalar().substr(std::min(file.scalar().find_first_not_of('/'), file.scalar().size()));
      const auto inside = std::filesystem::path(path).lexically_normal();
      if (!inside.empty() && *inside.begin() == "..") {
        to_.warnings.push_back(
            {file.place(), "the items of " + path + " are left out: it is outside of the folder"});
        continue;
      }
      to_.seeds.push_back({text_at(source, "table"), (folder_ / inside).lexically_normal(), typed});
    }
  }

  Variables& variables_;
  const std::filesystem::path folder_;
  Definitions& to_;
};

}  // namespace

void add_seeds(const Node& service, Variables& variables, const Input& input, Definitions& to) {
  const Node* const written = service.find("custom");
  if (written == nullptr) return;
  const auto custom = variables.look(*written);
  if (!custom) return;
  SeedReader reader(variables, input, to);
  for (const std::string_view plugin : {"dynamodb", "serverless-dynamodb"}) {
    const Node* const configuration = (*custom)->find(plugin);
    if (configuration == nullptr) continue;
    if (const auto found = variables.look(*configuration)) reader.add(**found);
  }
}

}  // namespace dinette::definitions::serverless
