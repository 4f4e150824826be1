#include "node_builder.h"

#include <algorithm>
#include <utility>

namespace dinette::definitions {
namespace {

constexpr std::size_t most_repeated = 100;
constexpr std::string_view yaml_merge_key = "<<";  // of YAML; of it there may be several

/// Keeps the last value of each key, at its place.
void keep_last(Node& map) {
  auto& members = map.members();
  std::unordered_set<std::string> seen;
  const auto is_earlier = [&](const Node::Member& member) {
    return member.key != yaml_merge_key && !seen.insert(member.key).second;
  };
  std::ranges::reverse(members);
  std::erase_if(members, is_earlier);
  std::ranges::reverse(members);
}

/// Returns how many lists and maps are in each other at the deepest place.
std::size_t depth_of(const Node& node) {
  if (!node.is_list() && !node.is_map()) return 0;
  std::size_t inner = 0;
  for (const Node& element : node.elements()) inner = std::max(inner, depth_of(element));
  for (const Node::Member& member : node.members()) inner = std::max(inner, depth_of(member.value));
  return inner + 1;
}

}  // namespace

std::size_t count_values(const Node& node) {
  std::size_t size = 1;
  for (const Node& element : node.elements()) size += count_values(element);
  for (const Node::Member& member : node.members()) size += count_values(member.value);
  return size;
}

NodeBuilder::NodeBuilder(std::string_view file, const ReadLimits& limits, RepeatedKeys* repeated)
    : file_(std::make_shared<const std::string>(file)), limits_(limits), repeated_(repeated) {}

bool NodeBuilder::scalar(Node value, unsigned line) {
  if (!count_nodes(1, line)) return false;
  value.set_place(place(line));
  return add(std::move(value));
}

bool NodeBuilder::begin(Node collection, unsigned line) {
  if (!count_nodes(1, line)) return false;
  if (!check_depth(open_.size() + 1, line)) return false;
  collection.set_place(place(line));
  open_.push_back({std::move(collection)});
  return true;
}

bool NodeBuilder::end(void (*complete)(Node& collection)) {
  if (failed_) return false;
  Node ended = std::move(open_.back().node);
  if (open_.back().repeats) keep_last(ended);
  open_.pop_back();
  if (complete != nullptr) complete(ended);
  return add(std::move(ended));
}

bool NodeBuilder::copy(const Node& value, unsigned line) {
  return count(value, line) && check_depth(open_.size() + depth_of(value), line) && add(value);
}

bool NodeBuilder::count(const Node& value, unsigned line) {
  return count_nodes(count_values(value), line);
}

bool NodeBuilder::key(std::string key, unsigned line) {
  if (failed_) return false;
  Open& map = open_.back();
  if (!map.keys.insert(key).second && key != yaml_merge_key) {
    if (!repeat(key, line)) return false;
    map.repeats = true;
  }
  map.key = std::move(key);
  map.has_key = true;
  return true;
}

bool NodeBuilder::repeat(const std::string& key, unsigned line) {
  std::string reason = "the key \"" + key + "\" is there twice";
  if (repeated_ == nullptr) return fail(std::move(reason), line);
  if (repeated_->size() < most_repeated) repeated_->push_back({place(line), std::move(reason)});
  return true;
}

bool NodeBuilder::fail(std::string reason, unsigned line) {
  if (!failed_) error_ = {place(line), std::move(reason)};
  failed_ = true;
  return false;
}

base::Result<Node, ReadError> NodeBuilder::take() {
  if (failed_) return base::Failure{std::move(error_)};
  if (!complete_) return base::Failure{ReadError{place(0), "there is nothing in it"}};
  return std::move(root_);
}

bool NodeBuilder::check_depth(std::size_t depth, unsigned line) {
  return depth <= static_cast<std::size_t>(limits_.depth) ||
         fail("values nest deeper than " + std::to_string(limits_.depth) + " levels", line);
}

bool NodeBuilder::count_nodes(std::size_t nodes, unsigned line) {
  if (failed_) return false;
  nodes_ += nodes;
  return nodes_ <= limits_.nodes ||
         fail("there are more than " + std::to_string(limits_.nodes) + " values", line);
}

bool NodeBuilder::add(Node value) {
  if (open_.empty()) {
    root_ = std::move(value);
    last_ = &root_;
    complete_ = true;
    return true;
  }
  Open& into = open_.back();
  if (into.node.is_list()) {
    into.node.elements().push_back(std::move(value));
    last_ = &into.node.elements().back();
  } else {
    into.node.members().push_back({std::move(into.key), std::move(value)});
    into.has_key = false;
    last_ = &into.node.members().back().value;
  }
  return true;
}

}  // namespace dinette::definitions
