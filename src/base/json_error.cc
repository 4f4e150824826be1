#include "dinette/base/json_error.h"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace dinette::base {
namespace {

using nlohmann::json;

constexpr std::string_view before_reason = " - ";
constexpr std::string_view after_reason = "; last read: ";

bool begins_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
}

/// Returns the part of a parser's message that says more than where, and repeats nothing of the text.
std::string reason_of(const json::exception& why) {
  if (dynamic_cast<const json::parse_error*>(&why) == nullptr) return "number out of range";
  std::string_view message = why.what();
  const auto begin = message.find(before_reason);
  if (begin == std::string_view::npos) return std::string(message);
  message.remove_prefix(begin + before_reason.size());
  return std::string(message.substr(0, message.find(after_reason)));
}

/// What nlohmann/json says of no text at all differs by its version.
constexpr const char* no_text = "unexpected end of input; expected '[', '{', or a literal";

/// Takes no notice of anything but an error.
class Listener final : public nlohmann::json_sax<json> {
 public:
  explicit Listener(std::string_view text) : text_(text) {}

  const std::optional<JsonError>& error() const { return error_; }

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(json::number_integer_t) override { return true; }
  bool number_unsigned(json::number_unsigned_t) override { return true; }
  bool number_float(json::number_float_t, const json::string_t&) override { return true; }
  bool string(json::string_t&) override { return true; }
  bool binary(json::binary_t&) override { return true; }
  bool start_object(std::size_t) override { return true; }
  bool key(json::string_t&) override { return true; }
  bool end_object() override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }

  bool parse_error(std::size_t position, const std::string&, const json::exception& why) override {
    // The position is the number of bytes up to the one at which it failed.
    const std::string_view before = text_.substr(0, position == 0 ? 0 : position - 1);
    const auto line_begin = before.rfind('\n') + 1;  // 0 on the first line
    error_ = JsonError{
        1 + static_cast<std::size_t>(std::ranges::count(before, '\n')),
        1 + static_cast<std::size_t>(std::ranges::count_if(before.substr(line_begin), begins_character)),
        text_.empty() ? no_text : reason_of(why), std::min(position, text_.size())};
    return false;
  }

 private:
  const std::string_view text_;
  std::optional<JsonError> error_;
};

}  // namespace

std::string JsonError::place() const {
  return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

std::optional<JsonError> find_json_error(std::string_view text) {
  Listener listener(text);
  json::sax_parse(text.begin(), text.end(), &listener);
  return listener.error();
}

}  // namespace dinette::base
