#include "mcp/json.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "dinette/base/ascii.h"

namespace dinette::mcp {
namespace {

// Any decimal number of so many digits is the shortest text of the double next to it.
constexpr std::size_t digits_of_doubles = 15;

/// Builds a value from the events of nlohmann's parser, none of whose calls recurse.
class Builder {
 public:
  Builder(Json& root, int most_depth, Digits digits)
      : root_(root), most_depth_(most_depth), digits_(digits) {}

  bool too_deep() const { return too_deep_; }

  bool null() { return add(nullptr); }
  bool boolean(bool value) { return add(value); }
  bool number_integer(std::int64_t value) { return add(value); }
  bool number_unsigned(std::uint64_t value) { return add(value); }
  bool number_float(double value, const std::string& text) {
    const bool kept = digits_ == Digits::of_doubles || is_exact_number(text);
    return kept ? add(value) : add(Json{{"N", text}});
  }
  bool string(std::string& value) { return add(std::move(value)); }
  bool binary(Json::binary_t&) { return false; }

  bool start_object(std::size_t) { return open(Json::object()); }
  bool start_array(std::size_t) { return open(Json::array()); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(std::string& name) {
    keys_.back() = std::move(name);
    return true;
  }

  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) { return false; }

 private:
  /// Puts a value where it belongs, and returns it there.
  Json& place(Json value) {
    if (open_.empty()) return root_ = std::move(value);
    Json& parent = *open_.back();
    if (parent.is_object()) return parent[keys_.back()] = std::move(value);
    parent.push_back(std::move(value));
    return parent.back();
  }

  bool add(Json value) {
    place(std::move(value));
    return true;
  }

  bool open(Json value) {
    too_deep_ = open_.size() == static_cast<std::size_t>(most_depth_);
    if (too_deep_) return false;
    // The pointer stays valid: nothing is added to a parent while its child is open.
    open_.push_back(&place(std::move(value)));
    keys_.emplace_back();
    return true;
  }

  bool close() {
    open_.pop_back();
    keys_.pop_back();
    return true;
  }

  Json& root_;
  const int most_depth_;
  const Digits digits_;
  bool too_deep_ = false;
  std::vector<Json*> open_;
  std::vector<std::string> keys_;  ///< of each open value, the last one read
};

}  // namespace

bool is_exact_number(std::string_view text) {
  text = text.substr(0, text.find_first_of("eE"));
  std::string digits;
  std::ranges::copy_if(text, std::back_inserter(digits), base::is_digit);
  const auto first = digits.find_first_not_of('0');
  if (first == std::string::npos) return true;
  return digits.find_last_not_of('0') - first < digits_of_doubles;
}

base::Result<Json, std::string> read_json(std::string_view text, int depth, Digits digits) {
  Json value;
  Builder builder(value, depth, digits);
  if (Json::sax_parse(text, &builder)) return value;
  if (builder.too_deep()) return base::Failure{"nests deeper than " + std::to_string(depth) + " levels"};
  return base::Failure{std::string("is not valid JSON")};
}

std::string text_of(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace dinette::mcp
