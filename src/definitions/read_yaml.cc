#include <algorithm>
#include <map>
#include <sstream>
#include <unordered_set>
#include <utility>

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include "dinette/definitions/read_node.h"

#include "node_builder.h"

namespace dinette::definitions {
namespace {

constexpr std::string_view merge_key = "<<";

/// Ends the parser, which recurses, at the first error of the builder.
struct Refused {};

bool is_number(std::string_view text) {
  const auto digits = [&text] {
    const auto end = std::ranges::find_if_not(text, [](char c) { return c >= '0' && c <= '9'; });
    const auto count = static_cast<std::size_t>(end - text.begin());
    text.remove_prefix(count);
    return count;
  };
  if (text.starts_with('-')) text.remove_prefix(1);
  const bool zero = text.starts_with('0');
  const std::size_t whole = digits();
  if (whole == 0 || (zero && whole > 1)) return false;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    if (digits() == 0) return false;
  }
  if (text.starts_with('e') || text.starts_with('E')) {
    text.remove_prefix(1);
    if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
    if (digits() == 0) return false;
  }
  return text.empty();
}

Node plain_scalar(const std::string& text) {
  if (text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL") return {};
  if (text == "true" || text == "True" || text == "TRUE") return Node::boolean(true);
  if (text == "false" || text == "False" || text == "FALSE") return Node::boolean(false);
  return is_number(text) ? Node::number(text) : Node::text(text);
}

/// Returns "Sub" of "!Sub"; empty for a tag that YAML itself has, or none.
std::string short_tag(const std::string& tag) {
  return tag.size() > 1 && tag.front() == '!' ? tag.substr(1) : std::string();
}

/// Adds the members of `from` that `to`, which has these keys, has not.
void merge(const Node& from, Node& to, std::unordered_set<std::string>& keys) {
  for (const Node::Member& member : from.members()) {
    if (keys.insert(member.key).second) to.members().push_back(member);
  }
}

/// Replaces the merge keys of a map by what they refer to.
void merge_members(Node& map) {
  std::vector<Node> merged;
  for (Node::Member& member : map.members()) {
    if (member.key == merge_key) merged.push_back(std::move(member.value));
  }
  if (merged.empty()) return;
  map.erase(merge_key);
  std::unordered_set<std::string> keys;
  for (const Node::Member& member : map.members()) keys.insert(member.key);
  for (const Node& from : merged) {
    merge(from, map, keys);
    for (const Node& element : from.elements()) merge(element, map, keys);
  }
}

class YamlEvents final : public YAML::EventHandler {
 public:
  explicit YamlEvents(NodeBuilder& builder) : builder_(builder) {}

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { value({}, mark, anchor); }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& text) override {
    // "!" is the tag of what is quoted, "?" that of what is not.
    Node scalar = tag == "?" || tag.empty() ? plain_scalar(text) : Node::text(text);
    scalar.set_tag(short_tag(tag));
    value(std::move(scalar), mark, anchor);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) {
      refuse(builder_.fail("an alias is used within its own anchor", line_of(mark)));
    } else if (builder_.expects_key()) {
      key(found->second, mark);
    } else {
      refuse(builder_.copy(found->second, line_of(mark)));
    }
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    begin(Node::list(), mark, tag, anchor);
  }
  void OnSequenceEnd() override { end(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    begin(Node::map(), mark, tag, anchor);
  }
  void OnMapEnd() override { end(); }

 private:
  static unsigned line_of(const YAML::Mark& mark) { return static_cast<unsigned>(mark.line + 1); }

  static void refuse(bool accepted) {
    if (!accepted) throw Refused{};
  }

  void value(Node scalar, const YAML::Mark& mark, YAML::anchor_t anchor) {
    if (builder_.expects_key()) {
      if (anchor != YAML::NullAnchor) anchors_[anchor] = scalar;
      return key(scalar, mark);
    }
    refuse(builder_.scalar(std::move(scalar), line_of(mark)));
    remember(anchor);
  }

  void key(const Node& key, const YAML::Mark& mark) {
    if (!key.is_scalar() && !key.is_null())
      refuse(builder_.fail("a list or a map cannot be a key", line_of(mark)));
    refuse(builder_.key(key.scalar(), line_of(mark)));
  }

  void begin(Node collection, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    if (builder_.expects_key()) refuse(builder_.fail("a list or a map cannot be a key", line_of(mark)));
    collection.set_tag(short_tag(tag));
    refuse(builder_.begin(std::move(collection), line_of(mark)));
    open_anchors_.push_back(anchor);
  }

  void end() {
    refuse(builder_.end(merge_members));
    const YAML::anchor_t anchor = open_anchors_.back();
    open_anchors_.pop_back();
    remember(anchor);
  }

  void remember(YAML::anchor_t anchor) {
    if (anchor == YAML::NullAnchor) return;
    refuse(builder_.count(builder_.last(), builder_.last().place().line));
    anchors_[anchor] = builder_.last();
  }

  NodeBuilder& builder_;
  std::map<YAML::anchor_t, Node> anchors_;
  std::vector<YAML::anchor_t> open_anchors_;
};

}  // namespace

base::Result<Node, ReadError> read_yaml(std::string_view text, std::string_view file,
                                        const ReadLimits& limits, RepeatedKeys* repeated) {
  NodeBuilder builder(file, limits, repeated);
  if (text.size() > limits.bytes) {
    builder.fail("it has more than " + std::to_string(limits.bytes) + " bytes", 0);
    return builder.take();
  }
  YamlEvents events(builder);
  std::istringstream stream{std::string(text)};
  try {
    YAML::Parser(stream).HandleNextDocument(events);
  } catch (const Refused&) {
    // The builder has the reason.
  } catch (const YAML::Exception& error) {
    builder.fail(error.msg, error.mark.is_null() ? 0 : static_cast<unsigned>(error.mark.line + 1));
  }
  return builder.take();
}

}  // namespace dinette::definitions
