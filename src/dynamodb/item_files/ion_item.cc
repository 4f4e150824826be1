#include "dynamodb/item_files/ion_item.h"

#include <algorithm>
#include <utility>

#include "dinette/aws/json_writer.h"

namespace dinette::dynamodb::item_files {
namespace {

using base::Failure;

constexpr std::string_view version = "$ion_1_0";
constexpr std::string_view symbol_table = "$ion_symbol_table";

}  // namespace

ReadResult<bool> IonItem::write(std::string& out, std::string& condition) {
  DINETTE_TRY(const bool found, skip_to_struct());
  if (!found) return false;
  in_struct_ = true;
  struct_begin_ = cursor_.position();
  condition.clear();
  DINETTE_CHECK(values_.fields([&](const std::string& name) { return member(name, out, condition); }));
  if (!condition.empty()) condition += '}';
  return check_found();
}

ReadResult<bool> IonItem::check_found() const {
  if (has_item_) return true;
  if (has_record_ && changes_ == Changes::refused)
    return Failure{
        ReadError("holds a change, as incremental exports do, and not an item; take a full export")};
  if (has_record_) return Failure{ReadError("holds a change without Keys")};
  return Failure{ReadError(R"(has no Item: it must look like {Item: {pk: "a"}})")};
}

/// Reads the value of a member of the struct.
IonValues::Done IonItem::member(const std::string& name, std::string& out, std::string& condition) {
  if (std::ranges::find(condition_members, name) != condition_members.end())
    return append_member(name, condition);
  if (name == "Item") return item_attributes(name, out);
  if (name != "Record") return skip_value();
  has_record_ = true;
  if (changes_ == Changes::refused || !is_struct()) return skip_value();
  std::string keys;
  DINETTE_CHECK(values_.fields([&](const std::string& inner) { return record_member(inner, out, keys); }));
  deletes_ = !has_item_ && !keys.empty();
  if (deletes_) {
    has_item_ = true;
    out = std::move(keys);
  }
  return {};
}

IonValues::Done IonItem::record_member(const std::string& name, std::string& out, std::string& keys) {
  if (name == "NewImage") return item_attributes(name, out);
  if (name != "Keys" || !is_struct()) return skip_value();
  keys.clear();
  return values_.attributes(keys);
}

IonValues::Done IonItem::item_attributes(const std::string& name, std::string& out) {
  if (!is_struct()) return Failure{ReadError("has an " + name + " that is no struct")};
  has_item_ = true;
  out.clear();
  return values_.attributes(out);
}

IonValues::Done IonItem::skip_value() {
  std::string ignored;
  return values_.value(ignored);
}

/// Returns true if the value at the cursor is a struct, and not a blob.
bool IonItem::is_struct() const {
  return cursor_.peek() == '{' && !cursor_.sees("{{");
}

/// Appends a member of the condition, which lacks its last brace after that.
IonValues::Done IonItem::append_member(std::string_view name, std::string& out) {
  out.append(out.empty() ? "{\"" : ",\"").append(name).append("\":");
  if (!is_struct()) return append_untyped(out);
  if (name == "ExpressionAttributeValues") return values_.attributes(out);
  out += '{';
  bool first = true;
  DINETTE_CHECK(values_.fields([&](const std::string& placeholder) {
    if (!std::exchange(first, false)) out += ',';
    aws::append_json_string(out, placeholder);
    out += ':';
    return append_untyped(out);
  }));
  out += '}';
  return {};
}

/// Appends a string as such. Another value keeps its type, which does not belong here.
IonValues::Done IonItem::append_untyped(std::string& out) {
  constexpr std::string_view before = R"({"S":)";
  std::string value;
  DINETTE_CHECK(values_.value(value));
  const bool is_string = value.starts_with(before);
  out += is_string ? value.substr(before.size(), value.size() - before.size() - 1) : value;
  return {};
}

/// Returns false if there is none with an item.
ReadResult<bool> IonItem::skip_to_struct() {
  for (;;) {
    cursor_.skip_white();
    if (cursor_.at_end()) return false;
    if (is_struct()) return true;
    const IonCursor before = cursor_;
    const std::string_view word = cursor_.word();
    cursor_.skip_white();
    if (word == symbol_table && cursor_.sees("::")) return false;
    if (word == version && !cursor_.sees("::")) continue;
    if (!word.empty() && cursor_.take("::")) continue;  // an annotation, which means nothing
    cursor_ = before;
    return not_ion("it does not begin with {");
  }
}

}  // namespace dinette::dynamodb::item_files
