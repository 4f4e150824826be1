#include "variables.h"

#include <algorithm>
#include <array>
#include <utility>

#include "dinette/definitions/read_node.h"

#include "../node_members.h"
#include "dotenv.h"

namespace dinette::definitions::serverless {
namespace {

using base::Failure;

constexpr int deepest_variable = 100;
constexpr std::size_t most_resolved = 8 << 20;  // bytes, of which each value counts as value_size more
constexpr std::size_t value_size = 32;

/// Counts how deep a value is in others while it lives.
class Level {
 public:
  explicit Level(int& depth) : depth_(depth) { ++depth_; }
  Level(const Level&) = delete;
  Level& operator=(const Level&) = delete;
  ~Level() { --depth_; }

 private:
  int& depth_;
};

/// Holds a variable open while its value is resolved.
class Opened {
 public:
  Opened(std::set<std::string>& open, const std::string& variable)
      : open_(open), position_(open.insert(variable)) {}
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;
  ~Opened() {
    if (position_.second) open_.erase(position_.first);
  }
  bool is_first() const { return position_.second; }

 private:
  std::set<std::string>& open_;
  std::pair<std::set<std::string>::iterator, bool> position_;
};

Failure<std::string> too_deep() {
  return Failure<std::string>("variables and values nest deeper than " + std::to_string(deepest_variable) +
                              " levels");
}

Failure<std::string> missing(const std::string& variable) {
  std::string text = variable + " has no value here";
  if (variable.starts_with("${opt:stage")) text += "; give it by --stage";
  return Failure<std::string>(text +
                              "; read what this writes: serverless print --format json > serverless.json");
}

bool is_variable(const std::vector<VariablePart>& parts) {
  return parts.size() == 1 && !parts.front().sources.empty();
}

bool ends_with_one_of(std::string_view text, const auto& ends) {
  return std::ranges::any_of(ends, [&](std::string_view end) { return text.ends_with(end); });
}

/// Returns the member or the element of that name.
const Node* child_of(const Node& node, const std::string& name) {
  if (!node.is_list()) return node.find(name);
  const bool is_index =
      !name.empty() && name.size() < 7 && name.find_first_not_of("0123456789") == std::string::npos;
  const std::size_t index = is_index ? std::stoul(name) : node.elements().size();
  return index < node.elements().size() ? &node.elements()[index] : nullptr;
}

}  // namespace

Variables::Variables(const Node& service, const Input& input) : service_(service), input_(input) {}

Variables::Outcome<void> Variables::charge(std::size_t size) {
  size_ += std::min(size, most_resolved) + value_size;
  if (size_ > most_resolved)
    return Failure<std::string>("the values of its variables are too many or too long");
  return {};
}

Variables::Outcome<Node> Variables::resolve(const Node& value) {
  const Level level(depth_);
  if (depth_ > deepest_variable) return too_deep();
  DINETTE_CHECK(charge(value.scalar().size()));
  if (value.is_text()) return resolve_text(value);
  if (!value.is_list() && !value.is_map()) return Node(value);
  Node resolved = value.is_list() ? Node::list() : Node::map();
  resolved.set_tag(value.tag());
  resolved.set_place(value.place());
  for (const Node& element : value.elements()) {
    DINETTE_TRY(Node inner, resolve(element));
    resolved.append(std::move(inner));
  }
  for (const Node::Member& member : value.members()) {
    DINETTE_CHECK(charge(member.key.size()));
    DINETTE_TRY(Node inner, resolve(member.value));
    resolved.members().push_back({member.key, std::move(inner)});
  }
  return resolved;
}

Variables::Outcome<Node> Variables::resolve_text(const Node& value) {
  const std::vector<VariablePart> parts = variable_parts(value.scalar());
  Node resolved;
  if (is_variable(parts)) {
    DINETTE_TRY(resolved, resolve_variable(parts.front()));
  } else {
    DINETTE_TRY(std::optional<std::string> text, joined(parts));
    if (!text) return missing(value.scalar());
    resolved = Node::text(*std::move(text));
  }
  if (!value.tag().empty()) resolved.set_tag(value.tag());
  if (!resolved.is_list() && !resolved.is_map()) resolved.set_place(value.place());
  return resolved;
}

Variables::Outcome<Node> Variables::resolve_variable(const VariablePart& variable) {
  const Opened opened(open_, variable.text);
  if (!opened.is_first()) return Failure<std::string>(variable.text + " refers to itself");
  DINETTE_TRY(std::optional<Found> found, find(variable.sources));
  if (!found) return missing(variable.text);
  return value_of(*std::move(found));
}

Variables::Outcome<Node> Variables::value_of(Found found) {
  if (found.written != nullptr) return resolve(*found.written);
  return std::move(found.value);
}

Variables::Outcome<std::optional<std::string>> Variables::joined(const std::vector<VariablePart>& parts) {
  std::string text;
  for (const VariablePart& part : parts) {
    if (part.sources.empty()) {
      text += part.text;
      continue;
    }
    const Opened opened(open_, part.text);
    if (!opened.is_first()) return Failure<std::string>(part.text + " refers to itself");
    DINETTE_TRY(std::optional<Found> found, find(part.sources));
    if (!found) return std::optional<std::string>();
    DINETTE_TRY(const Node value, value_of(*std::move(found)));
    if (!value.is_scalar())
      return Failure<std::string>(part.text + " is a " + std::string(value.kind_name()) + " within a text");
    DINETTE_CHECK(charge(text.size()));
    text += value.scalar();
  }
  return std::optional(std::move(text));
}

Variables::Outcome<const Node*> Variables::look(const Node& value) {
  DINETTE_TRY(const std::optional<const Node*> found, look_if_there(value));
  return found ? Outcome<const Node*>(*found) : missing(value.scalar());
}

Variables::Outcome<std::optional<const Node*>> Variables::look_if_there(const Node& value) {
  const Level level(depth_);
  if (depth_ > deepest_variable) return too_deep();
  const std::vector<VariablePart> parts =
      value.is_text() ? variable_parts(value.scalar()) : std::vector<VariablePart>();
  if (!is_variable(parts)) return std::optional(&value);
  const Opened opened(open_, parts.front().text);
  if (!opened.is_first()) return Failure<std::string>(parts.front().text + " refers to itself");
  DINETTE_TRY(std::optional<Found> found, find(parts.front().sources));
  if (!found) return std::optional<const Node*>();
  if (found->written != nullptr) return look_if_there(*found->written);
  looked_.push_back(std::move(found->value));
  return std::optional<const Node*>(&looked_.back());
}

Variables::Finding Variables::find(const std::vector<VariableSource>& sources) {
  const Level level(depth_);
  if (depth_ > deepest_variable) return too_deep();
  for (const VariableSource& source : sources) {
    DINETTE_CHECK(charge(source.text.size()));
    if (source.literal) return std::optional(Found{nullptr, *source.literal});
    DINETTE_TRY(std::optional<Found> found, source.type.empty() ? find_nested(source) : find_in(source));
    if (found) return found;
  }
  return std::optional<Found>();
}

/// A default may be a variable again, or a text with variables.
Variables::Finding Variables::find_nested(const VariableSource& source) {
  const std::vector<VariablePart> parts = variable_parts(source.text);
  if (is_variable(parts)) return find(parts.front().sources);
  if (parts.size() == 1)
    return Failure<std::string>('"' + source.text + "\" is neither a variable nor a value in quotes");
  DINETTE_TRY(std::optional<std::string> text, joined(parts));
  if (!text) return std::optional<Found>();
  return std::optional(Found{nullptr, Node::text(*std::move(text))});
}

Variables::Finding Variables::find_in(const VariableSource& source) {
  DINETTE_TRY(const std::optional<std::string> address, joined(variable_parts(source.address)));
  DINETTE_TRY(const std::optional<std::string> parameters,
              joined(variable_parts(source.parameters.value_or(std::string()))));
  if (!address || !parameters) return std::optional<Found>();
  if (source.type == "self") return find_self(*address);
  if (source.type == "opt") return find_option(*address);
  if (source.type == "env") return find_environment(*address);
  if (source.type == "file") return find_file(*parameters, *address);
  if (source.type == "param") return find_parameter(*address);
  if (source.type == "strToBool") return find_boolean(*parameters);
  if (source.type == "sls" && *address == "stage") return std::optional(Found{nullptr, Node::text(stage())});
  if (source.type == "aws" && *address == "region")
    return std::optional(Found{nullptr, Node::text(input_.surroundings.region)});
  if (source.type == "aws" && *address == "accountId")
    return std::optional(Found{nullptr, Node::text(input_.surroundings.account)});
  return std::optional<Found>();  // of the cloud, or of a plugin
}

Variables::Finding Variables::walk(const Node& from, std::string_view address) {
  const Node* node = &from;
  while (!address.empty()) {
    const std::string name(address.substr(0, address.find('.')));
    address.remove_prefix(std::min(name.size() + 1, address.size()));
    DINETTE_TRY(const std::optional<const Node*> whole, look_if_there(*node));
    if (whole) DINETTE_CHECK(charge((*whole)->members().size()));
    node = whole ? child_of(**whole, name) : nullptr;
    if (node == nullptr) return std::optional<Found>();
  }
  if (node->is_null()) return std::optional<Found>();
  return std::optional(Found{node, {}});
}

Variables::Finding Variables::find_self(const std::string& address) {
  DINETTE_TRY(std::optional<Found> found, walk(service_, address));
  if (found && address == "service" && found->written->is_map()) return walk(service_, "service.name");
  if (found) return found;
  // What a service has without saying so.
  if (address == "provider.stage") return std::optional(Found{nullptr, Node::text(stage())});
  if (address == "provider.region")
    return std::optional(Found{nullptr, Node::text(input_.surroundings.region)});
  return std::optional<Found>();
}

std::optional<Variables::Found> Variables::find_option(const std::string& name) {
  const Surroundings& surroundings = input_.surroundings;
  if (name == "stage" && !surroundings.stage.empty()) return Found{nullptr, Node::text(surroundings.stage)};
  if (name == "region") return Found{nullptr, Node::text(surroundings.region)};
  return {};
}

std::optional<Variables::Found> Variables::find_environment(const std::string& name) {
  const Surroundings& surroundings = input_.surroundings;
  if (surroundings.environment) {
    if (auto value = surroundings.environment(name)) return Found{nullptr, Node::text(*std::move(value))};
  }
  if (!dotenv_) {
    dotenv_.emplace();
    for (const std::string& file : {".env." + stage(), std::string(".env")}) {
      const auto content = surroundings.read_file ? surroundings.read_file(input_.file.parent_path() / file)
                                                  : std::optional<std::string>();
      if (content) dotenv_->merge(read_dotenv(*content));  // what is there already wins
    }
  }
  const auto value = dotenv_->find(name);
  if (value == dotenv_->end()) return {};
  return Found{nullptr, Node::text(value->second)};
}

Variables::Finding Variables::find_parameter(const std::string& name) {
  const auto given = input_.surroundings.parameters.find(name);
  if (given != input_.surroundings.parameters.end())
    return std::optional(Found{nullptr, Node::text(given->second)});
  DINETTE_TRY(std::optional<Found> found, walk(service_, "params." + stage() + '.' + name));
  if (found) return found;
  return walk(service_, "params.default." + name);
}

Variables::Finding Variables::find_boolean(const std::string& text) {
  if (text == "true" || text == "1") return std::optional(Found{nullptr, Node::boolean(true)});
  if (text == "false" || text == "0") return std::optional(Found{nullptr, Node::boolean(false)});
  if (text.empty()) return std::optional<Found>();
  return Failure<std::string>("strToBool(" + text + "): it is neither true nor false");
}

Variables::Finding Variables::find_file(const std::string& path, const std::string& address) {
  DINETTE_TRY(const Node* const content, file(path));
  if (content == nullptr) return std::optional<Found>();
  return walk(*content, address);
}

Variables::Outcome<const Node*> Variables::file(const std::string& path) {
  constexpr std::array<std::string_view, 6> code = {".js", ".cjs", ".mjs", ".ts", ".cts", ".mts"};
  constexpr std::array<std::string_view, 3> data = {".yml", ".yaml", ".json"};
  if (path.empty() || ends_with_one_of(path, code)) return nullptr;
  const auto cached = files_.find(path);
  if (cached != files_.end()) return cached->second ? &*cached->second : nullptr;
  std::optional<Node>& node = files_[path];
  const auto name = (input_.file.parent_path() / path).lexically_normal();
  const auto content =
      input_.surroundings.read_file ? input_.surroundings.read_file(name) : std::optional<std::string>();
  if (!content) return nullptr;
  DINETTE_CHECK(charge(content->size()));
  if (ends_with_one_of(path, data)) {
    auto read = read_node(*content, name.string());
    if (!read) return Failure<std::string>(read.error().text());
    node = *std::move(read);
  } else {
    node = Node::text(*content);
  }
  return &*node;
}

const std::string& Variables::stage() {
  if (stage_) return *stage_;
  stage_ = input_.surroundings.stage;
  if (!stage_->empty()) return *stage_;
  stage_ = "dev";  // also for a stage that is written by itself
  if (const Node* const written = service_.find("provider", "stage")) {
    const auto resolved = resolve(*written);
    if (resolved && resolved->is_scalar()) stage_ = resolved->scalar();
  }
  return *stage_;
}

std::string Variables::text(std::string_view address) {
  const auto found = walk(service_, address);
  if (!found || !*found) return {};
  const auto value = resolve(*(*found)->written);
  return value && value->is_scalar() ? value->scalar() : std::string();
}

}  // namespace dinette::definitions::serverless
