#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "dinette/aws/generation.h"

namespace dinette::aws {

/// The inputs and outputs of an API, as read-only tables, which scripts/gen_api.py generates from api-specs/.
/// Everything here has static storage and never changes, so any thread may read it.

enum class Kind : std::uint8_t {
  string,
  integer,
  long_integer,
  floating,
  boolean,
  timestamp,
  blob,  ///< base64 in JSON; its bounds are those of the bytes
  list,
  map,
  structure,
  /// A value that names its own type: a structure with one member given, which is a scalar, a list of scalars
  /// or variants, or a map of variants. It has no constraints.
  variant,
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

/// Some characters of a class, one after the other.
struct PatternStep {
  static constexpr std::size_t any_number = std::numeric_limits<std::size_t>::max();

  bool (*of_class)(char c);
  std::size_t least;
  std::size_t most;
};

/// Texts of more bytes match no steps: those that an API declares are shorter.
inline constexpr std::size_t longest_with_steps = 4096;

/// Returns true if the whole text consists of these steps. The cost is their number times the length.
bool matches(std::span<const PatternStep> steps, std::string_view text);

/// The values of an enumeration: those accepted, and those that messages print, in the service's own order
/// and with its misprints.
struct EnumValues {
  std::span<const std::string_view> accepted;
  std::span<const std::string_view> printed;
  std::span<const std::string_view> printed_older;  ///< if the older generation prints them differently
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
  /// Set if the name of a resource may be given as an ARN: returns the name in it, empty if there is none.
  std::string_view (*name_in_arn)(std::string_view text) = nullptr;
  /// The whole sentence about a string of more bytes than its bounds allow; empty: it is worded by the form,
  /// and has bounds in characters.
  std::string_view too_long = {};
  std::span<const Member> members = {};  ///< of a structure
  /// The members that messages print of a structure or variant, if these are more than the API has.
  std::span<const EchoedMember> echoed = {};
  const Shape* element = nullptr;  ///< of a list or map
  const Shape* key = nullptr;      ///< of a map, if its keys are constrained
};

/// The form of the current generation's message for a violated constraint (docs/service/names-limits.md
/// section 3). The older one always echoes.
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
  std::string_view unless = {};  ///< the member next to it whose presence makes it optional
  Form form = Form::echo;
  bool empty_alone = false;     ///< an empty string gets the generic form and is reported alone
  bool alone = false;           ///< a violation is reported alone
  bool bare = false;            ///< and without the envelope
  bool keeps_form = false;      ///< in the older generation, too
  bool or_text = false;         ///< a boolean that may be a string
  bool empty_in_older = false;  ///< the older generation accepts an empty map
  bool yields = false;          ///< a violation is reported only if no member before it has one
  bool together = false;        ///< what is wrong with an element of this list is said of the list
  /// Reported, alone and without the envelope, if a required member is missing.
  std::string_view missing_message = {};
  /// Reported, alone and without the envelope, if the value is not in its enumeration and there is no other
  /// violation.
  std::string_view unknown_message = {};
};

struct Operation {
  std::string_view name;
  std::span<const Member> input;
  std::span<const std::uint8_t> constraint_order;  ///< indexes into `input`
  std::span<const std::uint8_t> older_order = {};  ///< of the older generation, if it is another
  bool own_in_envelope =
      false;  ///< the current generation puts the operation's own messages into the envelope
  Layers layers = {};
  std::int8_t older_without = -1;  ///< index of the member without which the older generation applies
};

}  // namespace dinette::aws
