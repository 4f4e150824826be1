#include "dinette/dynamodb/item_files/item_reader.h"

#include <algorithm>
#include <utility>

#include "dinette/base/json_error.h"

#include "dynamodb/item_files/json_text.h"
#include "dynamodb/item_files/unpacked_bytes.h"

namespace dinette::dynamodb::item_files {
namespace {

using base::Failure;

constexpr std::string_view item_member = "Item";
constexpr std::string_view keys_member = "Keys";
constexpr std::string_view image_member = "NewImage";

bool is_white(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/// Follows the text of a JSON object to its end. What it takes for one need not be JSON.
class ObjectEnd {
 public:
  /// Returns true if `c` ends the object.
  bool ends_with(char c) {
    if (escaped_) {
      escaped_ = false;
    } else if (in_string_) {
      escaped_ = c == '\\';
      in_string_ = c != '"';
    } else if (c == '"') {
      in_string_ = true;
    } else if (c == '{') {
      ++depth_;
    } else if (c == '}') {
      return --depth_ == 0;
    }
    return false;
  }

  bool in_string() const { return in_string_; }

 private:
  std::size_t depth_ = 0;
  bool in_string_ = false;
  bool escaped_ = false;
};

/// Writes the members that the line has next to its item.
void write_condition(aws::JsonElement line, std::string& out) {
  for (const std::string_view name : condition_members) {
    aws::JsonElement value;
    if (line[name].get(value)) continue;
    out.append(out.empty() ? "{\"" : ",\"").append(name).append("\":").append(simdjson::minify(value));
  }
  if (!out.empty()) out += '}';
}

/// Returns the member of a line that has the attributes of its item, or the keys of one to delete.
ReadResult<std::string_view> member_with_item(aws::JsonElement line, Changes changes) {
  const bool is_change = line[item_member].error() && !line[keys_member].error();
  if (is_change && changes == Changes::refused)
    return Failure{
        std::string("holds a change, as incremental exports do, and not an item; take a full export")};
  std::string_view member = item_member;
  if (is_change) member = line[image_member].error() ? keys_member : image_member;
  if (line[member].is_object()) return member;
  if (line[member].error())
    return Failure{std::string(R"(has no Item: it must look like {"Item": {"pk": {"S": "a"}}})")};
  return Failure{"has no object in its member " + std::string(member)};
}

}  // namespace

struct ItemReader::Parser {
  simdjson::dom::parser parser;
};

ItemReader::ItemReader(objects::ObjectReader& file, Packing packing, std::stop_token stop, Changes changes)
    : bytes_(std::make_unique<UnpackedBytes>(file, packing, std::move(stop))),
      parser_(std::make_unique<Parser>()),
      changes_(changes) {}

ItemReader::~ItemReader() = default;

std::uint64_t ItemReader::bytes_read() const {
  return bytes_->count();
}

ReadResult<std::optional<std::string_view>> ItemReader::next() {
  DINETTE_TRY(const bool taken, take_object());
  if (!taken) return std::optional<std::string_view>();
  const auto room = with_room(object_);
  aws::JsonElement json;
  // The object has its room already: simdjson need not copy it.
  if (const auto error = parser_->parser.parse(room.data(), room.size(), false).get(json))
    return Failure{not_json(simdjson::error_message(error))};
  DINETTE_TRY(const std::string_view member, member_with_item(json, changes_));
  deletes_ = member == keys_member;
  condition_.clear();
  if (json.get_object().value_unsafe().size() > 1) write_condition(json, condition_);
  const std::string_view item = object_member_text(object_, member);
  if (item.find('\n') == std::string_view::npos) return std::optional(item);
  object_ = on_one_line(item);
  return std::optional(std::string_view(object_));
}

/// Moves on to the line of the error, and returns what is wrong with it.
std::string ItemReader::not_json(std::string_view otherwise) {
  const auto error = base::find_json_error(object_);
  if (!error) return "is not JSON (" + std::string(otherwise) + ")";
  const std::size_t column = error->column + (error->line == 1 ? object_column_ - 1 : 0);
  object_line_ += error->line - 1;
  return "is not JSON (column " + std::to_string(column) + ": " + error->reason + ")";
}

/// Counts the lines of what has been read, and the columns after the last of them.
void ItemReader::pass(std::string_view text) {
  line_ += static_cast<std::uint64_t>(std::ranges::count(text, '\n'));
  const auto newline = text.rfind('\n');
  column_ = newline == std::string_view::npos ? column_ + text.size() : text.size() - newline;
}

/// Returns false at the end of the file.
ReadResult<bool> ItemReader::skip_white() {
  for (;;) {
    DINETTE_TRY(const std::string_view rest, bytes_->rest());
    if (rest.empty()) return false;
    const auto end = std::ranges::find_if_not(rest, is_white);
    pass({rest.begin(), end});
    bytes_->skip(static_cast<std::size_t>(end - rest.begin()));
    if (end != rest.end()) return true;
  }
}

void ItemReader::take(std::string_view text) {
  object_ += text;
  pass(text);
  bytes_->skip(text.size());
}

/// Moves the text of the next object into `object_`. Returns false if there is none.
ReadResult<bool> ItemReader::take_object() {
  object_line_ = line_;
  DINETTE_TRY(const bool more, skip_white());
  object_line_ = line_;
  object_column_ = column_;
  object_.clear();
  if (!more) return false;
  ObjectEnd end;
  for (;;) {
    DINETTE_TRY(const std::string_view rest, bytes_->rest());
    if (rest.empty()) return Failure{std::string("begins an object that the file does not end")};
    if (object_.empty() && rest.front() != '{') return Failure{std::string("does not begin with {")};
    for (std::size_t i = 0; i < rest.size(); ++i) {
      if (rest[i] == '\n' && end.in_string())
        return Failure{std::string("has a string that does not end on its line")};
      if (!end.ends_with(rest[i])) continue;
      take(rest.substr(0, i + 1));
      return true;
    }
    take(rest);
    if (object_.size() > longest_object)
      return Failure{std::string("begins an object of more than 16 MB; is a brace missing?")};
  }
}

}  // namespace dinette::dynamodb::item_files
