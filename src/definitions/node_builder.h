#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "dinette/definitions/read_node.h"

namespace dinette::definitions {

/// Returns how many values it is: itself, and all within it.
std::size_t count_values(const Node& node);

/// Makes a Node from the events of a parser, within limits. After the first error nothing is added any more.
class NodeBuilder {
 public:
  /// `repeated`: as for read_node; it must live as long as this.
  NodeBuilder(std::string_view file, const ReadLimits& limits, RepeatedKeys* repeated = nullptr);

  /// Each returns false after an error.
  bool scalar(Node value, unsigned line);
  bool begin(Node collection, unsigned line);
  /// `complete`, if any, may change the collection before it is added.
  bool end(void (*complete)(Node& collection) = nullptr);
  /// Adds a value that is there already, with the places that it has.
  bool copy(const Node& value, unsigned line);
  /// Counts a value of which the caller keeps a copy.
  bool count(const Node& value, unsigned line);
  bool key(std::string key, unsigned line);
  /// Remembers the first error; returns false.
  bool fail(std::string reason, unsigned line);

  bool failed() const { return failed_; }
  /// True within a map whose next event is a key.
  bool expects_key() const { return !open_.empty() && open_.back().node.is_map() && !open_.back().has_key; }
  /// The value that was added or ended last.
  const Node& last() const { return *last_; }
  Place place(unsigned line) const { return {file_, line}; }
  /// Call it once, at the end of the text.
  base::Result<Node, ReadError> take();

 private:
  struct Open {
    Node node;
    std::unordered_set<std::string> keys = {};
    std::string key = {};
    bool has_key = false;
    bool repeats = false;  ///< it has a key twice
  };

  bool count_nodes(std::size_t nodes, unsigned line);
  bool check_depth(std::size_t depth, unsigned line);
  bool add(Node value);
  bool repeat(const std::string& key, unsigned line);

  const std::shared_ptr<const std::string> file_;
  const ReadLimits limits_;
  RepeatedKeys* const repeated_;
  std::vector<Open> open_;
  Node root_;
  const Node* last_ = &root_;
  std::size_t nodes_ = 0;
  bool complete_ = false;
  bool failed_ = false;
  ReadError error_;
};

}  // namespace dinette::definitions
