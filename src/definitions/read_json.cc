#include <cstddef>
#include <iterator>
#include <utility>

#include <nlohmann/json.hpp>

#include "dinette/base/json_error.h"
#include "dinette/definitions/read_node.h"

#include "node_builder.h"

namespace dinette::definitions {
namespace {

using nlohmann::json;

/// Passes over a text and counts its lines, which nlohmann/json tells only of errors.
class LineCounter {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  LineCounter(const char* at, unsigned& line) : at_(at), line_(&line) {}

  reference operator*() const { return *at_; }
  LineCounter& operator++() {
    if (*at_ == '\n') ++*line_;
    ++at_;
    return *this;
  }
  LineCounter operator++(int) {
    const LineCounter before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const LineCounter& left, const LineCounter& right) { return left.at_ == right.at_; }

 private:
  const char* at_;
  unsigned* line_;
};

class JsonEvents final : public nlohmann::json_sax<json> {
 public:
  JsonEvents(NodeBuilder& builder, const unsigned& line) : builder_(builder), line_(line) {}

  bool null() override { return builder_.scalar({}, line_); }
  bool boolean(bool value) override { return builder_.scalar(Node::boolean(value), line_); }
  bool number_integer(json::number_integer_t value) override { return number(std::to_string(value)); }
  bool number_unsigned(json::number_unsigned_t value) override { return number(std::to_string(value)); }
  bool number_float(json::number_float_t, const std::string& digits) override { return number(digits); }
  bool string(std::string& value) override { return builder_.scalar(Node::text(std::move(value)), line_); }
  bool binary(json::binary_t&) override { return false; }
  bool start_object(std::size_t) override { return builder_.begin(Node::map(), line_); }
  bool key(std::string& value) override { return builder_.key(std::move(value), line_); }
  bool end_object() override { return builder_.end(); }
  bool start_array(std::size_t) override { return builder_.begin(Node::list(), line_); }
  bool end_array() override { return builder_.end(); }
  bool parse_error(std::size_t, const std::string&, const json::exception&) override { return false; }

 private:
  bool number(std::string digits) { return builder_.scalar(Node::number(std::move(digits)), line_); }

  NodeBuilder& builder_;
  const unsigned& line_;
};

}  // namespace

base::Result<Node, ReadError> read_json(std::string_view text, std::string_view file,
                                        const ReadLimits& limits, RepeatedKeys* repeated) {
  NodeBuilder builder(file, limits, repeated);
  if (text.size() > limits.bytes) {
    builder.fail("it has more than " + std::to_string(limits.bytes) + " bytes", 0);
    return builder.take();
  }
  unsigned line = 1;
  JsonEvents events(builder, line);
  const bool read =
      json::sax_parse(LineCounter(text.data(), line), LineCounter(text.data() + text.size(), line), &events);
  if (!read && !builder.failed()) {
    const auto error = base::find_json_error(text);
    builder.fail(error ? error->reason : "it is not JSON", error ? static_cast<unsigned>(error->line) : 0);
  }
  return builder.take();
}

}  // namespace dinette::definitions
