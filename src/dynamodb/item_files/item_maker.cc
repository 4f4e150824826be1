#include "dynamodb/item_files/item_maker.h"

#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "dinette/base/json_error.h"

#include "dynamodb/item_files/json_text.h"
#include "dynamodb/item_files/number_text.h"

namespace dinette::dynamodb::item_files {
namespace {

namespace ondemand = simdjson::ondemand;
using base::Failure;
using Done = base::Result<void, ItemMistake>;

// docs/service/names-limits.md: 32 levels; the server refuses what is deeper, and says so.
constexpr std::size_t most_nested = 40;

constexpr std::string_view put_member = "PutRequest";
constexpr std::string_view delete_member = "DeleteRequest";

/// A type, what its value is in JSON, and an example.
struct TypeShape {
  std::string_view name;
  ondemand::json_type shape;
  std::string_view example;
};

constexpr std::array<TypeShape, 10> type_shapes{
    {{"S", ondemand::json_type::string, R"({"S": "a"})"},
     {"N", ondemand::json_type::string, R"({"N": "1.5"})"},
     {"B", ondemand::json_type::string, R"({"B": "AAE="})"},
     {"SS", ondemand::json_type::array, R"({"SS": ["a"]})"},
     {"NS", ondemand::json_type::array, R"({"NS": ["1"]})"},
     {"BS", ondemand::json_type::array, R"({"BS": ["AAE="]})"},
     {"M", ondemand::json_type::object, R"({"M": {}})"},
     {"L", ondemand::json_type::array, R"({"L": [{"S": "a"}]})"},
     {"BOOL", ondemand::json_type::boolean, R"({"BOOL": true})"},
     {"NULL", ondemand::json_type::boolean, R"({"NULL": true})"}}};

const TypeShape* shape_of(std::string_view name) {
  for (const TypeShape& type : type_shapes) {
    if (type.name == name) return &type;
  }
  return nullptr;
}

std::string_view words_for(ondemand::json_type shape) {
  switch (shape) {
    case ondemand::json_type::array:
      return "a list";
    case ondemand::json_type::object:
      return "an object";
    case ondemand::json_type::number:
      return "a number without quotation marks";
    case ondemand::json_type::string:
      return "a text";
    case ondemand::json_type::boolean:
      return "true or false";
    case ondemand::json_type::null:
      return "null";
    default:
      return "something else";
  }
}

std::string_view trimmed(std::string_view token) {
  return token.substr(0, token.find_last_not_of(" \t\r\n") + 1);
}

/// Returns true for `{"S": "a"}`: an object with one member, which is called like a type. `exact`: and whose
/// value is as it must be.
bool looks_typed(ondemand::value value, bool exact) {
  if (value.type() != ondemand::json_type::object) return false;
  std::size_t members = 0;
  bool fits = false;
  for (ondemand::field field : value.get_object()) {
    ++members;
    const std::string_view name = field.unescaped_key();
    const TypeShape* const type = shape_of(name);
    const ondemand::json_type shape = field.value().type();
    const bool bare_number = shape == ondemand::json_type::number && name == "N";
    fits = type != nullptr && (!exact || type->shape == shape || bare_number);
  }
  return members == 1 && fits;
}

struct Looks {
  std::size_t attributes = 0;
  std::size_t typed = 0;  ///< of these
};

Looks looks_of(ondemand::object attributes) {
  Looks looks;
  for (ondemand::field field : attributes) {
    ++looks.attributes;
    if (looks_typed(field.value(), true)) ++looks.typed;
  }
  return looks;
}

/// Returns how many attributes have a member that is called like a type, whatever its value.
std::size_t nearly_typed_of(ondemand::object attributes) {
  std::size_t count = 0;
  for (ondemand::field field : attributes) {
    if (looks_typed(field.value(), false)) ++count;
  }
  return count;
}

/// Writes one item.
class ItemWriting {
 public:
  ItemWriting(std::string_view json, std::string& out) : json_(json), out_(out) {}

  bool bare_numbers() const { return bare_numbers_; }

  Done typed_attributes(ondemand::object attributes) {
    return members(attributes, [this](ondemand::value value) { return typed(value); });
  }

  Done plain_attributes(ondemand::object attributes) {
    return members(attributes, [this](ondemand::value value) { return plain(value); });
  }

 private:
  template <class Write>
  Done members(ondemand::object object, Write write) {
    out_ += '{';
    bool first = true;
    for (ondemand::field field : object) {
      const std::string name(std::string_view(field.unescaped_key()));
      if (!std::exchange(first, false)) out_ += ',';
      aws::append_json_string(out_, name);
      out_ += ':';
      path_.push_back(name);
      DINETTE_CHECK(write(field.value()));
      path_.pop_back();
    }
    out_ += '}';
    return {};
  }

  template <class Write>
  Done elements(ondemand::array array, Write write) {
    out_ += '[';
    std::size_t index = 0;
    for (ondemand::value element : array) {
      if (index > 0) out_ += ',';
      path_.push_back("[" + std::to_string(index++) + "]");
      DINETTE_CHECK(write(element));
      path_.pop_back();
    }
    out_ += ']';
    return {};
  }

  Done typed(ondemand::value value) {
    if (path_.size() > 2 * most_nested) return too_deep(value);
    const ondemand::json_type shape = value.type();
    if (shape != ondemand::json_type::object) return not_typed(value, words_for(shape));
    const std::size_t at = place_of(value);
    std::size_t members = 0;
    out_ += '{';
    for (ondemand::field field : value.get_object()) {
      const std::string name(std::string_view(field.unescaped_key()));
      if (++members > 1) return two_types(at);
      const TypeShape* const type = shape_of(name);
      if (type == nullptr) return no_type(at, name);
      path_.push_back(name);
      DINETTE_CHECK(typed_member(*type, field.value()));
      path_.pop_back();
    }
    out_ += '}';
    if (members == 0) return mistake(at, "an object without a type", R"({"S": "a"})");
    return {};
  }

  Done typed_member(const TypeShape& type, ondemand::value value) {
    const std::string_view name = type.name;
    out_.append("\"").append(name).append("\":");
    if (name == "N") return number(value, type);
    const ondemand::json_type shape = value.type();
    if (shape != type.shape) return mistake(place_of(value), words_for(shape), type.example);
    if (name == "M") return typed_attributes(value.get_object());
    if (name == "L") return elements(value.get_array(), [this](ondemand::value one) { return typed(one); });
    if (name == "NS")
      return elements(value.get_array(), [&](ondemand::value one) { return number(one, type); });
    if (shape == ondemand::json_type::array)
      return elements(value.get_array(), [&](ondemand::value one) { return text(one, type); });
    if (shape == ondemand::json_type::string) return text(value, type);
    out_ += bool(value.get_bool()) ? "true" : "false";
    return {};
  }

  Done text(ondemand::value value, const TypeShape& type) {
    const ondemand::json_type shape = value.type();
    if (shape != ondemand::json_type::string) return mistake(place_of(value), words_for(shape), type.example);
    aws::append_json_string(out_, value.get_string());
    return {};
  }

  /// Writes a number, which is a text, or should have been one.
  Done number(ondemand::value value, const TypeShape& type) {
    const std::size_t at = place_of(value);
    const ondemand::json_type shape = value.type();
    std::string digits;
    if (shape == ondemand::json_type::string) {
      digits = std::string_view(value.get_string());
    } else if (shape == ondemand::json_type::number) {
      digits = trimmed(value.raw_json_token());
      bare_numbers_ = true;
    } else {
      return mistake(at, words_for(shape), type.example);
    }
    if (!is_number_text(digits)) return mistake(at, "'" + digits + "'", type.example);
    aws::append_json_string(out_, digits);
    return {};
  }

  Done plain(ondemand::value value) {
    if (path_.size() > most_nested) return too_deep(value);
    switch (ondemand::json_type(value.type())) {
      case ondemand::json_type::object:
        out_ += R"({"M":)";
        DINETTE_CHECK(plain_attributes(value.get_object()));
        break;
      case ondemand::json_type::array:
        out_ += R"({"L":)";
        DINETTE_CHECK(elements(value.get_array(), [this](ondemand::value one) { return plain(one); }));
        break;
      case ondemand::json_type::string:
        out_ += R"({"S":)";
        aws::append_json_string(out_, value.get_string());
        break;
      case ondemand::json_type::number:
        DINETTE_CHECK(plain_number(value));
        break;
      case ondemand::json_type::boolean:
        out_ += bool(value.get_bool()) ? R"({"BOOL":true)" : R"({"BOOL":false)";
        break;
      default:
        if (!bool(value.is_null())) return mistake(place_of(value), "something", "null");
        out_ += R"({"NULL":true)";
    }
    out_ += '}';
    return {};
  }

  Done plain_number(ondemand::value value) {
    const std::string_view digits = trimmed(value.raw_json_token());
    if (!is_json_number(digits))
      return mistake(place_of(value), "'" + std::string(digits) + "', which is no number of JSON,", "1.5");
    out_.append(R"({"N":")").append(digits).append("\"");
    return {};
  }

  std::size_t place_of(ondemand::value value) const {
    const std::string_view token = value.raw_json_token();
    return static_cast<std::size_t>(token.data() - json_.data());
  }

  /// Returns `box.list[2]`.
  std::string path() const {
    std::string text;
    for (const std::string& step : path_) {
      if (!text.empty() && !step.starts_with('[')) text += '.';
      text += step;
    }
    return text;
  }

  Failure<ItemMistake> mistake(std::size_t at, std::string_view found, std::string_view expected) const {
    return {ItemMistake{"has " + std::string(found) + " in " + path() + "; expected is, for example, " +
                            std::string(expected),
                        at}};
  }

  Failure<ItemMistake> not_typed(ondemand::value value, std::string_view found) const {
    return mistake(place_of(value), std::string(found) + " without a type", R"({"S": "a"})");
  }

  Failure<ItemMistake> no_type(std::size_t at, const std::string& name) const {
    return {ItemMistake{
        "has '" + name + "' in " + path() +
            ", which is no type; expected is one of S, N, B, BOOL, NULL, SS, NS, BS, L and M, for "
            "example {\"S\": \"a\"}",
        at}};
  }

  Failure<ItemMistake> two_types(std::size_t at) const {
    return mistake(at, "an object with more than one type",
                   R"({"S": "a"}, or {"M": {"a": {"S": "b"}, "c": {"N": "1"}}})");
  }

  Failure<ItemMistake> too_deep(ondemand::value value) const {
    return {ItemMistake{"nests deeper than the 32 levels that an item may have", place_of(value)}};
  }

  std::string_view json_;
  std::string& out_;
  std::vector<std::string> path_;  ///< of the value that is written, with its types
  bool bare_numbers_ = false;
};

}  // namespace

class ItemMaker::Parser {
 public:
  Result make(std::string& json, ItemForm form, std::string& out) {
    out.clear();
    try {
      return made(json, form, out);
    } catch (const simdjson::simdjson_error& error) {
      const auto wrong = base::find_json_error(json);
      if (!wrong) return Failure{ItemMistake{"is not as expected (" + std::string(error.what()) + ")"}};
      return Failure{
          ItemMistake{"is not JSON (" + wrong->reason + ")", wrong->byte == 0 ? 0 : wrong->byte - 1}};
    }
  }

 private:
  /// Where in an entry its attributes are.
  struct Place {
    std::string_view request;  ///< empty: the whole text is the item
    std::string_view member;
  };

  Result made(std::string& json, ItemForm form, std::string& out) {
    document_ = parser_.iterate(with_room(json));
    DINETTE_TRY(const Place place, place_in(form));
    if (form == ItemForm::plain_or_typed && !place.request.empty()) form = ItemForm::entry;
    document_.rewind();
    const Looks looks = looks_of(attributes_of(place));
    bool typed = looks.typed == looks.attributes;
    if (form != ItemForm::plain_or_typed && !typed) {
      document_.rewind();
      typed = nearly_typed_of(attributes_of(place)) > 0;
    }
    document_.rewind();
    ItemWriting writing(json, out);
    DINETTE_CHECK(typed ? writing.typed_attributes(attributes_of(place))
                        : writing.plain_attributes(attributes_of(place)));
    return Made{place.request == delete_member, !typed && looks.typed > 0, writing.bare_numbers()};
  }

  /// Finds the attributes. Also plain JSON may be a list of entries.
  base::Result<Place, ItemMistake> place_in(ItemForm form) {
    std::size_t members = 0;
    Place place;
    for (ondemand::field field : document_.get_object()) {
      ++members;
      const std::string_view name = field.unescaped_key();
      if (field.value().type() != ondemand::json_type::object) continue;
      if (name == put_member) place = {put_member, "Item"};
      if (name == delete_member) place = {delete_member, "Key"};
    }
    if (form == ItemForm::typed_or_plain) return Place{};
    if (members == 1 && !place.request.empty()) return with_member(place);
    if (form == ItemForm::plain_or_typed) return Place{};
    return Failure{ItemMistake{
        R"(is neither a PutRequest nor a DeleteRequest; expected is, for example, {"PutRequest": {"Item": {"id": {"S": "a"}}}})"}};
  }

  base::Result<Place, ItemMistake> with_member(Place place) {
    document_.rewind();
    for (ondemand::field field : ondemand::object(document_.get_object()[place.request].get_object())) {
      const std::string_view name = field.unescaped_key();
      if (name == place.member && field.value().type() == ondemand::json_type::object) return place;
    }
    return Failure{ItemMistake{"has a " + std::string(place.request) + " without its " +
                               std::string(place.member) + "; expected is, for example, {\"" +
                               std::string(place.request) + "\": {\"" + std::string(place.member) +
                               R"(": {"id": {"S": "a"}}}})"}};
  }

  ondemand::object attributes_of(const Place& place) {
    if (place.request.empty()) return document_.get_object();
    ondemand::object request = document_.get_object()[place.request].get_object();
    return request[place.member].get_object();
  }

  ondemand::parser parser_;
  ondemand::document document_;
};

ItemMaker::ItemMaker() : parser_(std::make_unique<Parser>()) {}
ItemMaker::~ItemMaker() = default;

ItemMaker::Result ItemMaker::make(std::string& json, ItemForm form, std::string& out) {
  return parser_->make(json, form, out);
}

}  // namespace dinette::dynamodb::item_files
