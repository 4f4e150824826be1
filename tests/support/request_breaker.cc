#include <algorithm>
#include <functional>

#include "support/random_requests.h"

namespace test {

using dinette::aws::Kind;
using dinette::aws::Member;
using dinette::aws::Operation;
using dinette::aws::Shape;

namespace {

/// A value inside a request, and what the spec says of it.
struct Place {
  Json* json;
  const Shape* shape;
};

/// A structure inside a request.
struct Structure {
  Json* json;
  std::span<const Member> members;
};

/// Everything in a request that can be broken.
struct Places {
  std::vector<Place> values;
  std::vector<Structure> structures;
  std::vector<Json*> attribute_values;
  std::vector<Json*> items;        // attribute maps, nested ones too
  std::vector<Json*> expressions;  // condition, update, projection

  void add_structure(Json& json, std::span<const Member> members) {
    if (!json.is_object()) return;
    structures.push_back({&json, members});
    for (const Member& member : members) {
      const auto found = json.find(member.name);
      if (found == json.end() || found->is_null()) continue;
      if (member.name.ends_with("Expression") && found->is_string()) expressions.push_back(&*found);
      add(*found, *member.shape);
    }
  }

  void add(Json& json, const Shape& shape) {
    values.push_back({&json, &shape});
    if (shape.kind == Kind::structure) add_structure(json, shape.members);
    if (shape.kind == Kind::variant) add_attribute_value(json);
    if (is_item(shape)) return add_item(json, shape.name != "Values");
    const bool list = shape.kind == Kind::list && json.is_array();
    const bool map = shape.kind == Kind::map && json.is_object();
    if (!list && !map) return;
    for (Json& element : json) add(element, *shape.element);
  }

  void add_item(Json& json, bool attributes) {
    if (!json.is_object()) return;
    if (attributes) items.push_back(&json);
    for (Json& element : json) add_attribute_value(element);
  }

  void add_attribute_value(Json& json) {
    attribute_values.push_back(&json);
    if (!json.is_object()) return;
    if (json.contains("M")) add_item(json["M"], true);
    if (!json.contains("L") || !json["L"].is_array()) return;
    for (Json& element : json["L"]) add_attribute_value(element);
  }
};

/// JSON of a type that the shape does not read.
Json of_another_type(Random& random, Kind kind) {
  std::vector<Json> others = {
      Json::array(), Json::object(), "text", 5, -0.5, true, Json::array({Json::object()})};
  const auto reads = [kind](const Json& json) {
    switch (kind) {
      case Kind::string:
      case Kind::blob:
        return json.is_string();
      case Kind::boolean:
        return json.is_boolean() || json.is_string();  // PointInTimeRecoveryEnabled reads texts
      case Kind::integer:
      case Kind::long_integer:
      case Kind::floating:
      case Kind::timestamp:
        return json.is_number();
      case Kind::list:
        return json.is_array();
      default:
        return json.is_object();
    }
  };
  std::erase_if(others, reads);
  return one_of(random, others);
}

Json nested(std::size_t levels) {
  Json value = {{"S", "deep"}};
  for (std::size_t i = 0; i < levels; ++i) {
    value =
        i % 2 == 0 ? Json{{"L", Json::array({std::move(value)})}} : Json{{"M", {{"x", std::move(value)}}}};
  }
  return value;
}

// --- The ways of breaking; each says whether the request has a place for it.

bool wrong_type(Random& random, Places& places) {
  if (places.values.empty()) return false;
  const Place& place = one_of(random, places.values);
  *place.json = of_another_type(random, place.shape->kind);
  return true;
}

bool missing_member(Random& random, Places& places) {
  const Structure& structure = one_of(random, places.structures);
  std::vector<std::string> required;
  for (const Member& member : structure.members) {
    if (member.required && structure.json->contains(member.name)) required.emplace_back(member.name);
  }
  if (required.empty()) return false;
  const std::string& name = one_of(random, required);
  if (pick(random, 2) == 0)
    structure.json->erase(name);
  else
    (*structure.json)[name] = nullptr;
  return true;
}

bool bad_word(Random& random, Places& places) {
  std::erase_if(places.values, [](const Place& place) { return !place.shape->values; });
  if (places.values.empty()) return false;
  const std::vector<std::string> words = {"", "INVALID", "hash", "NONE ", "\u00e9", std::string(300, 'X')};
  *one_of(random, places.values).json = one_of(random, words);
  return true;
}

bool bad_name(Random& random, Places& places) {
  std::erase_if(places.values, [](const Place& place) { return !place.shape->pattern; });
  if (places.values.empty()) return false;
  const auto& [json, shape] = one_of(random, places.values);
  std::vector<std::string> names = {"", "x!", "a b c", "\u00e9t\u00e9", "arn:aws:s3:::x", "a/b/c", "table\n"};
  const auto matches = shape->pattern->matches;
  std::erase_if(names, [matches](const std::string& name) { return matches(name); });
  if (names.empty()) return false;  // the pattern takes anything
  *json = one_of(random, names);
  return true;
}

bool out_of_bounds(Random& random, Places& places) {
  constexpr std::int64_t most_made = 70'000;
  const auto above = [](const Shape& shape) { return shape.bounds.max < most_made; };
  const auto below = [](const Shape& shape) { return shape.bounds.min > 0; };
  const auto breakable = [&](const Place& place) {
    const Kind kind = place.shape->kind;
    const bool bounded = kind == Kind::integer || kind == Kind::long_integer || kind == Kind::list ||
                         (kind == Kind::string && !place.shape->values);
    return bounded && (above(*place.shape) || below(*place.shape));
  };
  std::erase_if(places.values, [&](const Place& place) { return !breakable(place); });
  if (places.values.empty()) return false;
  const auto& [json, shape] = one_of(random, places.values);
  const bool up = above(*shape) && (!below(*shape) || pick(random, 2) == 0);
  const std::int64_t measure = up ? shape->bounds.max + 1 : shape->bounds.min - 1;
  const auto size = static_cast<std::size_t>(std::max<std::int64_t>(measure, 0));
  if (shape->kind == Kind::string) {
    *json = std::string(size, 'a');
  } else if (shape->kind == Kind::list) {
    *json = Json::array();
    RequestMaker maker(random);
    while (json->size() < size) json->push_back(maker.value(*shape->element));
  } else {
    *json = measure;
    if (measure == 0 && pick(random, 2) == 0) *json = 0.5;  // which is cut off to 0
  }
  return true;
}

bool bad_value(Random& random, Places& places) {
  if (places.attribute_values.empty()) return false;
  static const std::vector<Json> values = {
      Json::object(),
      {{"S", "a"}, {"N", "1"}},
      {{"X", "a"}},
      {{"N", ""}},
      {{"N", "abc"}},
      {{"N", "1e200"}},
      {{"N", "1e-200"}},
      {{"N", "0x10"}},
      {{"N", "123456789012345678901234567890123456789"}},
      {{"N", "1 2"}},
      {{"N", "NaN"}},
      {{"N", 5}},
      {{"NULL", false}},
      {{"NULL", "true"}},
      {{"BOOL", "true"}},
      {{"B", "***"}},
      {{"B", "A"}},
      {{"SS", Json::array()}},
      {{"NS", Json::array()}},
      {{"BS", Json::array()}},
      {{"SS", Json::array({"a", "a"})}},
      {{"NS", Json::array({"1", "1.0"})}},
      {{"NS", Json::array({"1", "x"})}},
      {{"BS", Json::array({"AA==", "AA=="})}},
      {{"SS", Json::array({5})}},
      {{"SS", "a"}},
      {{"L", Json::object()}},
      {{"L", Json::array({5})}},
      {{"M", Json::array()}},
      {{"M", {{"x", "text"}}}},
      {{"M", {{"__type", {{"S", "a"}}}}}},
  };
  *one_of(random, places.attribute_values) = one_of(random, values);
  return true;
}

bool deep_value(Random& random, Places& places) {
  if (places.attribute_values.empty()) return false;
  *one_of(random, places.attribute_values) = nested(33 + pick(random, 60));
  return true;
}

bool bad_attribute_name(Random& random, Places& places) {
  if (places.items.empty()) return false;
  static const std::vector<std::string> names = {"", "__type", std::string(65'536, 'x')};
  (*one_of(random, places.items))[one_of(random, names)] = {{"S", "a"}};
  return true;
}

bool bad_expression(Random& random, Places& places) {
  if (places.expressions.empty()) return false;
  static const std::vector<std::string> expressions = {"",
                                                       " ",
                                                       "(",
                                                       ")",
                                                       "a b c",
                                                       "= :v",
                                                       "#",
                                                       ":",
                                                       "SET SET a",
                                                       ", ,",
                                                       "a..b",
                                                       "a[",
                                                       "a[-1]",
                                                       "a[x]",
                                                       "[0]",
                                                       "a = = b",
                                                       "#unknown.a = :v",
                                                       "attribute_exists(#unknown)",
                                                       "SET #unknown = :v",
                                                       "SET a = :unknown",
                                                       "a, #unknown",
                                                       "size(",
                                                       "a AND",
                                                       "NOT",
                                                       "SET a = a +",
                                                       "BETWEEN",
                                                       "select",
                                                       "a = 'text'",
                                                       "a = 5",
                                                       "\u00e9",
                                                       "((((",
                                                       "a;b",
                                                       "unknown_function(a)",
                                                       "REMOVE ,",
                                                       "ADD a ,",
                                                       "DELETE a b c",
                                                       std::string(4097, 'a'),
                                                       std::string(4000, '('),
                                                       std::string("a\0b", 3)};
  *one_of(random, places.expressions) = one_of(random, expressions);
  return true;
}

using Break = bool (*)(Random&, Places&);

constexpr std::pair<const char*, Break> breaks[] = {
    {"wrong_type", wrong_type},
    {"missing_member", missing_member},
    {"bad_word", bad_word},
    {"bad_name", bad_name},
    {"out_of_bounds", out_of_bounds},
    {"bad_value", bad_value},
    {"deep_value", deep_value},
    {"bad_attribute_name", bad_attribute_name},
    {"bad_expression", bad_expression},
};

}  // namespace

bool RequestBreaker::break_once(const Operation& operation, Json& request, std::string& notes) {
  Places places;
  places.add_structure(request, operation.input);
  const auto& [name, apply] = one_of(random_, breaks);
  if (!apply(random_, places)) return false;
  notes += std::string(name) + " ";
  return true;
}

/// No JSON after that, or a member given again, be the text what it may.
std::string RequestBreaker::break_text(const Operation& operation, std::string text, std::string& notes) {
  const bool has_name =
      std::ranges::any_of(operation.input, [](const Member& m) { return m.name == "TableName"; });
  if (has_name && text != "{}" && pick(random_, 8) == 0) {
    notes += "bad_name_given_last ";
    text.pop_back();
    return text + R"(,"TableName":"x!"})";
  }
  const std::size_t at = pick(random_, text.size());
  switch (pick(random_, 7)) {
    case 0:
      notes += "cut ";
      return text.substr(0, std::max<std::size_t>(at, 1));
    case 1:
      notes += "control_character ";
      return text.insert(at, 1, '\x01');
    case 2:
      notes += "no_utf8 ";
      return text.insert(at, 1, '\xFF');
    case 3:
      notes += "more_behind ";
      return text + "}";
    case 4:
      notes += "list ";
      return "[" + text + "]";
    case 5:
      notes += "too_deep ";
      return "{\"x\":" + std::string(5'000, '[') + std::string(5'000, ']') + "}";
    default: {
      notes += "random_bytes ";
      std::string bytes(1 + pick(random_, 200), '\0');
      for (char& c : bytes) c = static_cast<char>(random_());
      bytes.front() = '\x80';  // no JSON begins like that
      return bytes;
    }
  }
}

std::string RequestBreaker::broken(const Operation& operation, Json request, std::string& notes) {
  constexpr int most_breaks = 3;
  constexpr int tries = 20;
  constexpr std::size_t text_broken = 15;  // of 100 requests
  const std::size_t wanted = 1 + pick(random_, most_breaks);
  std::size_t done = 0;
  for (int i = 0; i < tries && done < wanted; ++i) done += break_once(operation, request, notes) ? 1 : 0;
  std::string text = request.dump();
  if (done == 0 || pick(random_, 100) < text_broken) return break_text(operation, std::move(text), notes);
  return text;
}

}  // namespace test
