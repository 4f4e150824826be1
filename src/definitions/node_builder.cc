#include "node_builder.h"

#include <algorithm>
#include <utility>

namespace dinette::definitions {
namespace {

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

NodeBuilder::NodeBuilder(std::string_view file, const ReadLimits& limits)
    : file_(std::make_shared<const std::string>(file)), limits_(limits) {}

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
  // Of the merge key of YAML there may be several.
  if (!map.keys.insert(key).second && key != "<<")
    return fail("the key \"" + key + "\" is there twice", line);
  map.key = std::move(key);
  map.has_key = true;
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
