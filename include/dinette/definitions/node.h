#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

/// Table definitions as people have them, in templates and other files, and what they mean as requests.
namespace dinette::definitions {

/// Where something is written.
struct Place {
  std::shared_ptr<const std::string> file;  ///< its name for messages; null: of no file
  unsigned line = 0;                        ///< from 1; 0: not known

  /// Returns "template.yaml, line 3"; empty if neither is known.
  std::string text() const;
};

/// A value of a YAML or JSON file, or one made for a request. Scalars keep the text that they were written
/// with, so that no digit and no leading zero is lost before the target decides what it wants.
class Node {
 public:
  enum class Kind { null, boolean, number, text, list, map };
  struct Member;

  Node() = default;  ///< null
  static Node text(std::string value);
  static Node boolean(bool value);
  /// `digits`: a number as JSON writes it.
  static Node number(std::string digits);
  static Node list(std::vector<Node> values);
  static Node list();
  static Node map(std::vector<Member> members);
  static Node map();

  Kind kind() const { return kind_; }
  bool is_null() const { return kind_ == Kind::null; }
  bool is_text() const { return kind_ == Kind::text; }
  bool is_list() const { return kind_ == Kind::list; }
  bool is_map() const { return kind_ == Kind::map; }
  /// A boolean, a number or a text.
  bool is_scalar() const { return !is_null() && !is_list() && !is_map(); }
  /// "null", "boolean", "number", "text", "list" or "map", for messages.
  std::string_view kind_name() const;

  /// Of a scalar: as it was written, without quotes and escapes. "true" or "false" for a boolean of JSON.
  const std::string& scalar() const { return scalar_; }
  /// The elements of a list; empty for everything else.
  const std::vector<Node>& elements() const { return elements_; }
  std::vector<Node>& elements() { return elements_; }
  /// The members of a map in the order of the file, each key once; empty for everything else.
  const std::vector<Member>& members() const { return members_; }
  std::vector<Member>& members() { return members_; }

  /// Returns the member of that name, or null if there is none, or this is no map.
  const Node* find(std::string_view key) const;
  Node* find(std::string_view key);
  /// Follows several names: find("Table", "KeySchema").
  template <class... Keys>
  const Node* find(std::string_view key, Keys... keys) const {
    const Node* const inner = find(key);
    return inner == nullptr ? nullptr : inner->find(keys...);
  }
  bool has(std::string_view key) const { return find(key) != nullptr; }
  /// Adds the member, or replaces its value. Makes a map of a null.
  void set(std::string_view key, Node value);
  void erase(std::string_view key);
  void append(Node value);

  /// The short tag of YAML in front of it, such as "Sub" of `!Sub`; usually empty.
  const std::string& tag() const { return tag_; }
  void set_tag(std::string tag) { tag_ = std::move(tag); }
  const Place& place() const { return place_; }
  void set_place(Place place) { place_ = std::move(place); }

  /// Compares values; places and tags do not matter, nor does the order of members.
  friend bool operator==(const Node& left, const Node& right);

 private:
  Kind kind_ = Kind::null;
  std::string scalar_;
  std::vector<Node> elements_;
  std::vector<Member> members_;
  std::string tag_;
  Place place_;
};

struct Node::Member {
  std::string key;
  Node value;
};

/// Returns the value as JSON in one line. A number is written as it is.
std::string to_json(const Node& node);

}  // namespace dinette::definitions
