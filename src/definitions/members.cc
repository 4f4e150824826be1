#include "members.h"

#include <algorithm>
#include <array>
#include <utility>

#include "dinette/base/ascii.h"

namespace dinette::definitions {
namespace {

constexpr std::size_t longest_integer = 18;  // digits that every 64-bit integer has room for

std::string quoted_value(const Node& value) {
  return value.is_scalar() ? '"' + value.scalar() + '"' : "a " + std::string(value.kind_name());
}

std::string_view kind_text(MemberKind kind) {
  switch (kind) {
    case MemberKind::text:
      return "text";
    case MemberKind::integer:
      return "integer";
    case MemberKind::boolean:
      return "boolean";
    case MemberKind::list:
      return "list";
    case MemberKind::map:
      return "map";
  }
  return {};
}

/// Converts the members of an input and remembers the errors.
class Conversion {
 public:
  Conversion(std::string_view table, Definitions& to) : table_(table), to_(to) {}

  void members(Node& map, const std::string& path) {
    std::erase_if(map.members(), [](const Node::Member& member) { return member.value.is_null(); });
    for (Node::Member& member : map.members()) {
      const std::string inner = path.empty() ? member.key : path + '.' + member.key;
      const auto kind = member_kind(member.key);
      if (kind && !convert(member.value, *kind, inner)) continue;
      value(member.value, inner);
    }
  }

  bool failed() const { return failed_; }

 private:
  void value(Node& value, const std::string& path) {
    if (value.is_map()) members(value, path);
    std::size_t index = 0;
    for (Node& element : value.elements()) {
      const std::string inner = path + '[' + std::to_string(index++) + ']';
      // All lists of inputs are lists of structures or of texts.
      if (element.is_scalar()) convert(element, MemberKind::text, inner);
      this->value(element, inner);
    }
  }

  bool convert(Node& value, MemberKind kind, const std::string& path) {
    if (value.is_list() && kind == MemberKind::list) return true;  // without a copy of it
    if (value.is_map() && kind == MemberKind::map) return true;
    if (auto result = as_kind(value, kind)) {
      result->set_place(value.place());
      value = *std::move(result);
      return true;
    }
    failed_ = true;
    to_.errors.push_back(
        {value.place(), "table \"" + std::string(table_) + "\", " + path + ": " + not_of_kind(value, kind)});
    return false;
  }

  const std::string_view table_;
  Definitions& to_;
  bool failed_ = false;
};

/// The service refuses empty lists where a member may be absent.
void drop_empty_lists(Node& value) {
  for (Node& element : value.elements()) drop_empty_lists(element);
  for (Node::Member& member : value.members()) drop_empty_lists(member.value);
  std::erase_if(value.members(), [](const Node::Member& member) {
    return member.value.is_list() && member.value.elements().empty();
  });
}

bool is_table_name(std::string_view name) {
  constexpr std::string_view allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
  return name.size() >= 3 && name.size() <= 255 && name.find_first_not_of(allowed) == std::string_view::npos;
}

/// Returns why no table can be made of it; empty if one can.
std::string reason_against(const TableDefinition& table, const Definitions& to) {
  if (!is_table_name(table.name))
    return "table \"" + table.name + "\": a name has 3 to 255 of the characters a-z, A-Z, 0-9, _, . and -";
  for (const std::string_view required : {"KeySchema", "AttributeDefinitions"}) {
    const Node* const member = table.create.find(required);
    if (member == nullptr) return "table \"" + table.name + "\" has no " + std::string(required);
  }
  const auto same = to.positions.find(table.name);
  if (same == to.positions.end()) return {};
  const std::string other = to.tables[same->second].place.text();
  return "table \"" + table.name + "\" is defined twice" + (other.empty() ? "" : ", also at " + other);
}

/// Makes the name, the id and the TableName of a table agree.
void settle_name(TableDefinition& table) {
  const Node* const given = table.create.find("TableName");
  if (table.name.empty() && given != nullptr && given->is_scalar()) table.name = given->scalar();
  table.create.set("TableName", Node::text(table.name));
  if (table.id.empty()) table.id = table.name;
}

bool is_one_of(std::string_view text, const std::array<std::string_view, 3>& words) {
  return std::ranges::any_of(words,
                             [text](std::string_view word) { return base::equal_ignoring_case(text, word); });
}

}  // namespace

std::optional<Node> as_integer(const Node& value) {
  if (!value.is_scalar() || value.kind() == Node::Kind::boolean) return {};
  std::string_view digits = value.scalar();
  const bool negative = digits.starts_with('-');
  if (negative) digits.remove_prefix(1);
  if (digits.empty() || digits.find_first_not_of("0123456789") != std::string_view::npos) return {};
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size() - 1));
  if (digits.size() > longest_integer) return {};
  return Node::number((negative && digits != "0" ? "-" : "") + std::string(digits));
}

std::optional<Node> as_boolean(const Node& value) {
  if (value.kind() == Node::Kind::boolean) return value;
  if (!value.is_text()) return {};
  if (is_one_of(value.scalar(), {"true", "yes", "on"})) return Node::boolean(true);
  if (is_one_of(value.scalar(), {"false", "no", "off"})) return Node::boolean(false);
  return {};
}

std::optional<Node> as_text(const Node& value) {
  if (!value.is_scalar()) return {};
  return Node::text(value.scalar());
}

std::optional<Node> as_kind(const Node& value, MemberKind kind) {
  switch (kind) {
    case MemberKind::text:
      return as_text(value);
    case MemberKind::integer:
      return as_integer(value);
    case MemberKind::boolean:
      return as_boolean(value);
    case MemberKind::list:
      return value.is_list() ? std::optional(value) : std::nullopt;
    case MemberKind::map:
      return value.is_map() ? std::optional(value) : std::nullopt;
  }
  return {};
}

std::string not_of_kind(const Node& value, MemberKind kind) {
  return quoted_value(value) + " is no " + std::string(kind_text(kind));
}

bool convert_members(Node& input, std::string_view table, Definitions& to) {
  Conversion conversion(table, to);
  conversion.members(input, {});
  return !conversion.failed();
}

void add_table(TableDefinition table, Definitions& to) {
  settle_name(table);
  bool convertible = convert_members(table.create, table.name, to);
  for (FollowUp& follow_up : table.follow_ups) {
    convertible = convert_members(follow_up.input, table.name, to) && convertible;
  }
  if (!convertible) return;
  drop_empty_lists(table.create);
  if (std::string reason = reason_against(table, to); !reason.empty()) {
    to.errors.push_back({table.place, std::move(reason)});
  } else {
    to.positions.emplace(table.name, to.tables.size());
    to.tables.push_back(std::move(table));
  }
}

}  // namespace dinette::definitions
