#include "dinette/aws/constraints.h"

#include <algorithm>
#include <vector>

#include <boost/container/small_vector.hpp>

#include "aws/echo.h"
#include "aws/quoted_scalar.h"

namespace dinette::aws {
namespace {

/// What is wrong with one value: the words after "failed to satisfy constraint: ", or a whole sentence.
struct Wording {
  std::string text;
  bool whole = false;
};
using Violation = std::optional<Wording>;

std::string join(std::span<const std::string_view> words) {
  std::string text;
  for (const std::string_view word : words) {
    if (!text.empty()) text += ", ";
    text += word;
  }
  return text;
}

std::size_t count_characters(std::string_view utf8) {
  return static_cast<std::size_t>(
      std::count_if(utf8.begin(), utf8.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

Violation check_bounds(const Bounds& bounds, std::int64_t measure, std::string_view quantity) {
  const auto sentence = [&](std::string_view relation, std::int64_t bound) {
    return Wording{"Member must have " + std::string(quantity) + std::string(relation) +
                   std::to_string(bound)};
  };
  if (measure < bounds.min) return sentence(" greater than or equal to ", bounds.min);
  if (measure > bounds.max) return sentence(" less than or equal to ", bounds.max);
  return {};
}

Violation check_enum(const EnumValues& values, std::string_view word, Generation generation) {
  if (std::ranges::find(values.accepted, word) != values.accepted.end()) return {};
  const bool older = generation == Generation::older && !values.printed_older.empty();
  return Wording{"Member must satisfy enum value set: [" +
                 join(older ? values.printed_older : values.printed) + "]"};
}

Violation check_length(const Shape& shape, std::string_view text) {
  return check_bounds(shape.bounds, static_cast<std::int64_t>(count_characters(text)), "length");
}

Violation check_name(const Shape& shape, std::string_view text) {
  // A text has at least as many bytes as characters.
  const bool short_enough = static_cast<std::int64_t>(text.size()) <= shape.bounds.max;
  if (!short_enough && !shape.too_long.empty()) return Wording{std::string(shape.too_long), true};
  if (shape.bounds.min <= 0 && short_enough && !shape.pattern) return {};
  if (shape.pattern && !(text.empty() && shape.name_in_arn) && !shape.pattern->matches(text)) {
    return Wording{"Member must satisfy regular expression pattern: " + std::string(shape.pattern->text)};
  }
  return check_length(shape, text);
}

/// The ARN of what `name` names, with a name that passes by itself (docs/service/names-limits.md section 1).
/// Anything else is checked as a name, and no name has a colon. Whose it is, and whether it exists, is
/// checked by the operation.
bool is_arn(const Shape& name, std::string_view text) {
  if (!name.name_in_arn) return false;
  const std::string_view in_arn = name.name_in_arn(text);
  return !in_arn.empty() && !check_name(name, in_arn);
}

Violation check_text(const Shape& shape, std::string_view text, Generation generation) {
  if (shape.values) return check_enum(*shape.values, text, generation);
  if (is_arn(shape, text)) return {};
  return check_name(shape, text);
}

Violation check_number(const Shape& shape, JsonElement json) {
  std::int64_t value = 0;
  double fraction = 0;
  if (json.is_string()) {
    value = quoted_integer(json).value_or(0);  // by a lenient decoder
  } else if (json.get(value) != simdjson::SUCCESS) {
    if (json.get(fraction) != simdjson::SUCCESS) return {};
    value = static_cast<std::int64_t>(fraction);  // as the decoder reads it, which knows that it fits
  }
  return check_bounds(shape.bounds, value, "value");
}

/// The bytes of a text in base64.
std::int64_t decoded_size(std::string_view encoded) {
  const std::size_t padding = encoded.size() - (encoded.find_last_not_of('=') + 1);
  return static_cast<std::int64_t>(encoded.size() / 4 * 3 - std::min<std::size_t>(padding, 2));
}

/// The first violation that a value has by itself.
Violation check_value(const Shape& shape, JsonElement json, Generation generation) {
  switch (shape.kind) {
    case Kind::string:
      return check_text(shape, json.get_string().value_unsafe(), generation);
    case Kind::integer:
    case Kind::long_integer:
      return check_number(shape, json);
    case Kind::blob:
      return check_bounds(shape.bounds, decoded_size(json.get_string().value_unsafe()), "length");
    case Kind::list:
      return check_bounds(shape.bounds, static_cast<std::int64_t>(json.get_array().size()), "length");
    case Kind::map:
      return check_bounds(shape.bounds, static_cast<std::int64_t>(json.get_object().size()), "length");
    default:
      return {};
  }
}

/// Returns the other violation of a name: its length, in addition to its pattern. A name that may be an ARN
/// is reported once (docs/service/names-limits.md section 5).
Violation check_also(const Shape& shape, JsonElement json) {
  if (shape.kind != Kind::string || !shape.pattern || shape.name_in_arn) return {};
  const std::string_view text = json.get_string().value_unsafe();
  if (shape.pattern->matches(text)) return {};
  return check_length(shape, text);
}

/// Keys, and in the older form values, of maps have one sentence for all their constraints, as have elements
/// of some lists.
Wording all_constraints(std::string_view of, const Shape& shape) {
  std::string all;
  const auto add = [&all](const std::string& sentence) { all += (all.empty() ? "" : ", ") + sentence; };
  if (shape.bounds.max != Bounds{}.max) {
    add("Member must have length less than or equal to " + std::to_string(shape.bounds.max));
  }
  if (shape.bounds.min != Bounds{}.min) {
    add("Member must have length greater than or equal to " + std::to_string(shape.bounds.min));
  }
  if (shape.pattern)
    add("Member must satisfy regular expression pattern: " + std::string(shape.pattern->text));
  if (shape.values) {
    add("Member must satisfy enum value set: [" + join(shape.values->printed) + "]");
    add("Member must not be null");
  }
  return {std::string(of) + " must satisfy constraint: [" + all + "]"};
}

Violation check_keys(const Shape& key, JsonObject entries) {
  for (const auto entry : entries) {
    if (is_arn(key, entry.key)) continue;
    const Violation violation = check_name(key, entry.key);
    if (violation) return violation->whole ? violation : all_constraints("Map keys", key);
  }
  return {};
}

Violation check_values(const Shape& value, JsonObject entries) {
  for (const auto entry : entries) {
    if (const Violation violation = check_value(value, entry.value, Generation::older))
      return violation->whole ? violation : all_constraints("Map value", value);
  }
  return {};
}

Violation check_together(const Shape& element, JsonArray elements) {
  for (const JsonElement one : elements) {
    if (check_value(element, one, Generation::older)) return all_constraints("Member", element);
  }
  return {};
}

/// The position of a value in the request, as a chain on the stack: most values are valid, so the text of a
/// path is made only for a sentence.
struct Path {
  const Path* parent = nullptr;
  const Member* member = nullptr;  // a member of a structure, or
  std::string_view key = {};       // an entry of a map, or
  std::size_t position = 0;        // an element of a list, from 1
};

void append_path(std::string& out, const Path& path, Form form) {
  if (path.parent) {
    append_path(out, *path.parent, form);
    out += '.';
  }
  if (path.member) {
    out += form == Form::generic ? path.member->name : path.member->path;
    return;
  }
  out += path.position > 0 ? std::to_string(path.position) : std::string(path.key);
  out += ".member";
}

/// Variants have no constraints, so maps of them, such as items, are not walked.
bool has_checked_entries(const Shape& shape) {
  return shape.kind == Kind::map && shape.element->kind != Kind::variant;
}

bool is_empty_text(JsonElement json) {
  return json.is_string() && json.get_string().value_unsafe().empty();
}

bool is_empty_map(JsonElement json) {
  return json.is_object() && json.get_object().size() == 0;
}

/// The members of a structure that are there, taken out of the JSON once for the many that are looked for.
class Fields {
 public:
  explicit Fields(JsonObject structure) {
    for (const auto field : structure) {
      if (!field.value.is_null()) fields_.push_back({field.key, field.value});
    }
  }

  /// The value that a Decoder reads for the member: the last one. Null when there is none.
  const JsonElement* find(std::string_view name) const {
    const auto found = std::find_if(fields_.rbegin(), fields_.rend(),
                                    [name](const Field& field) { return field.name == name; });
    return found == fields_.rend() ? nullptr : &found->value;
  }

 private:
  struct Field {
    std::string_view name;
    JsonElement value;
  };
  boost::container::small_vector<Field, 16> fields_;
};

class Checker {
 public:
  Checker(Generation generation, std::size_t longest)
      : current_(generation == Generation::current), generation_(generation), longest_(longest) {}

  std::optional<std::string> check(const Operation& operation, const Fields& fields) {
    const bool in_older_order = !current_ && !operation.older_order.empty();
    for (const std::uint8_t index : in_older_order ? operation.older_order : operation.constraint_order) {
      const Member& member = operation.input[index];
      if (member.yields && !sentences_.empty()) continue;
      check_member(member, nullptr, fields);
      if (alone_) return alone_;
    }
    if (sentences_.empty()) return unknown_;
    return envelope();
  }

 private:
  void check_member(const Member& member, const Path* parent, const Fields& fields) {
    const Path path{.parent = parent, .member = &member};
    const JsonElement* json = fields.find(member.name);
    if (json && !current_ && member.empty_in_older && is_empty_map(*json)) return;
    if (json) return check_shape(member, *member.shape, path, *json);
    if (member.required && !(!member.unless.empty() && fields.find(member.unless)))
      report_missing(member, path);
  }

  void check_shape(const Member& member, const Shape& shape, const Path& path, JsonElement json) {
    if (const Violation violation = check_value(shape, json, generation_)) {
      if (!member.unknown_message.empty()) {
        unknown_ = member.unknown_message;
        return;
      }
      report(member, shape, path, json, *violation, form_of(member, json));
      if (const Violation also = check_also(shape, json))
        report(member, shape, path, json, *also, form_of(member, json));
      return;
    }
    if (const Violation violation = check_parts_together(member, shape, json))
      return report(member, shape, path, json, *violation, Form::echo);
    if (shape.kind == Kind::structure) check_members(shape, path, json.get_object().value_unsafe());
    if (shape.kind == Kind::list) check_elements(member, shape, path, json.get_array().value_unsafe());
    if (has_checked_entries(shape)) check_entries(member, shape, path, json.get_object().value_unsafe());
  }

  Violation check_parts_together(const Member& member, const Shape& shape, JsonElement json) const {
    Violation violation;
    if (member.together && shape.kind == Kind::list)
      violation = check_together(*shape.element, json.get_array().value_unsafe());
    if (shape.key) violation = check_keys(*shape.key, json.get_object().value_unsafe());
    if (!violation && has_checked_entries(shape) && !current_)
      violation = check_values(*shape.element, json.get_object().value_unsafe());
    return violation;
  }

  void check_members(const Shape& shape, const Path& path, JsonObject structure) {
    const Fields fields(structure);
    for (const Member& inner : shape.members) check_member(inner, &path, fields);
  }

  void check_elements(const Member& member, const Shape& shape, const Path& path, JsonArray elements) {
    std::size_t position = 0;
    for (const JsonElement element : elements) {
      if (full()) return;
      check_shape(member, *shape.element, {.parent = &path, .position = ++position}, element);
    }
  }

  void check_entries(const Member& member, const Shape& shape, const Path& path, JsonObject entries) {
    for (const auto entry : entries) {
      if (full()) return;
      check_shape(member, *shape.element, {.parent = &path, .key = entry.key}, entry.value);
    }
  }

  void report_missing(const Member& member, const Path& path) {
    if (!member.missing_message.empty() && current_) {
      alone_ = std::string(member.missing_message);
      return;
    }
    std::string sentence = "Value null at '";
    append_path(sentence, path, Form::echo);
    add(sentence + "' failed to satisfy constraint: Member must not be null");
  }

  bool is_empty_alone(const Member& member, JsonElement json) const {
    return current_ && member.empty_alone && is_empty_text(json);
  }

  Form form_of(const Member& member, JsonElement json) const {
    if (!current_ && !member.keeps_form) return Form::echo;
    return is_empty_alone(member, json) ? Form::generic : member.form;
  }

  void report(const Member& member, const Shape& shape, const Path& path, JsonElement json,
              const Wording& violation, Form form) {
    if (violation.whole) return add(violation.text);
    std::string sentence = form == Form::pathless ? "Failed" : "Value ";
    if (form == Form::echo && shape.kind != Kind::blob) {
      sentence += '\'';
      append_echo(sentence, shape, json, generation_, longest_);
      sentence += "' ";
    }
    if (form != Form::pathless) {
      sentence += "at '";
      append_path(sentence, path, form);
      sentence += "' failed";
    }
    const bool alone = is_empty_alone(member, json) || (current_ && member.alone);
    if (alone) sentences_.clear();
    add(sentence + " to satisfy constraint: " + violation.text);
    if (alone) alone_ = member.bare ? sentences_.front() : envelope();
  }

  void add(std::string sentence) {
    size_ += sentence.size();
    sentences_.push_back(std::move(sentence));
  }

  /// Returns true if further sentences are not worth their memory.
  bool full() const { return size_ > longest_; }

  std::string envelope() const {
    std::string text = std::to_string(sentences_.size());
    text += sentences_.size() == 1 ? " validation error detected: " : " validation errors detected: ";
    for (const std::string& sentence : sentences_) {
      if (&sentence != &sentences_.front()) text += "; ";
      text += sentence;
    }
    return text;
  }

  bool current_;
  Generation generation_;
  std::size_t longest_;
  std::vector<std::string> sentences_;
  std::size_t size_ = 0;                // of the sentences
  std::optional<std::string> alone_;    // the whole message that silences the others
  std::optional<std::string> unknown_;  // the whole message if there is no separate one
};

bool lacks(const Operation& operation, int member, const Fields& fields) {
  return member >= 0 && !fields.find(operation.input[static_cast<std::size_t>(member)].name);
}

}  // namespace

std::optional<std::string> check_constraints(const Operation& operation, JsonObject json,
                                             Generation generation, std::size_t longest) {
  const Fields fields(json);
  const bool older = generation == Generation::older || lacks(operation, operation.older_without, fields);
  return Checker(older ? Generation::older : Generation::current, longest).check(operation, fields);
}

}  // namespace dinette::aws
