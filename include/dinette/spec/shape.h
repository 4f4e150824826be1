#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

namespace dinette::spec {

/// What an API accepts and answers, as read-only tables that scripts/gen_api.py writes from api-specs/.
/// Everything here lives as long as the program and is never changed, so any thread may read it.

enum class Kind : std::uint8_t {
  string,
  integer,
  long_integer,
  floating,
  boolean,
  timestamp,
  list,
  map,
  structure,
  attribute_value,
  item
};

/// An inclusive range: of characters, elements, entries, or of the number itself, by the shape's kind.
struct Bounds {
  std::int64_t min = std::numeric_limits<std::int64_t>::min();
  std::int64_t max = std::numeric_limits<std::int64_t>::max();
};

/// A regular expression as the service prints it, and the same as code.
struct Pattern {
  std::string_view text;
  bool (*matches)(std::string_view);
};

/// The words of an enumeration: those accepted, and the same as messages print them (the service's own order,
/// and its own misprints; the older layer's where it has another).
struct EnumValues {
  std::span<const std::string_view> accepted;
  std::span<const std::string_view> printed;
  std::span<const std::string_view> printed_older;
};

struct Member;

/// A member of a structure where a message repeats the structure.
struct EchoedMember {
  std::string_view name;  ///< in requests
  std::string_view path;  ///< as messages print it
};

struct Shape {
  std::string_view name;
  Kind kind;
  Bounds bounds = {};
  const Pattern* pattern = nullptr;
  const EnumValues* values = nullptr;
  bool or_arn = false;                   ///< a resource's ARN is as good as its name
  std::span<const Member> members = {};  ///< of a structure
  /// What messages print of a structure or attribute value, where that is more than the API has.
  std::span<const EchoedMember> echoed = {};
  const Shape* element = nullptr;  ///< of a list, map or item
  const Shape* key = nullptr;      ///< of a map or item, when its keys are constrained
};

/// How a violated constraint is worded (docs/service/names-limits.md section 3).
enum class Form : std::uint8_t {
  echo,      ///< Value '<echo>' at 'member' failed to satisfy constraint: ...
  generic,   ///< Value at 'Member' failed to satisfy constraint: ...
  pathless,  ///< Failed to satisfy constraint: ...
};

struct Member {
  std::string_view name;
  std::string_view path;  ///< the name as the echo form prints it
  const Shape* shape;
  bool required = false;
  Form form = Form::echo;
  bool empty_alone = false;  ///< an empty string is worded generically and reported alone
  bool alone = false;        ///< a violation is reported alone
  bool bare = false;         ///< and without the envelope
  bool yields = false;       ///< a violation is reported only when no member before it has one
  std::string_view missing_message =
      {};  ///< said, alone and without envelope, when a required member is missing
  /// Said, alone and without envelope, when the word is none of its enumeration and nothing else is wrong.
  std::string_view unknown_message = {};
};

struct Operation {
  std::string_view name;
  std::string_view target;  ///< `X-Amz-Target`, whole
  std::span<const Member> input;
  std::span<const std::uint8_t> constraint_order;  ///< indexes into `input`
  bool older_layer = false;        ///< the request is always read and judged in its older form
  std::int8_t older_without = -1;  ///< index of the member whose absence makes the older wording speak
};

}  // namespace dinette::spec
