#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "dinette/aws/json_types.h"

namespace dinette::aws {

/// Appends JSON to a string. The caller writes a well-formed sequence; the writer adds the commas.
class JsonWriter {
 public:
  explicit JsonWriter(std::string& out) : out_(out) {}

  void begin_object() { open('{'); }
  void end_object() { close('}'); }
  void begin_array() { open('['); }
  void end_array() { close(']'); }

  /// Writes a member's name; its value must follow. `name` needs no escape.
  void key(std::string_view name);
  /// Writes a member's name that may need escapes.
  void escaped_key(std::string_view name);

  void string(std::string_view text);
  void integer(std::int64_t value);
  /// Writes the shortest text that reads back as the same double, with `.0` if it is an integer: 1.0, 0.5.
  void floating(double value);
  /// Writes epoch seconds with milliseconds: 1421866952.062.
  void timestamp(std::int64_t milliseconds);
  void boolean(bool value);
  /// Writes bytes in base64.
  void blob(const Blob& value);
  /// Writes text that is already a JSON value.
  void raw(std::string_view json);

 private:
  void open(char bracket);
  void close(char bracket);
  void separate();

  std::string& out_;
  bool first_ = true;  // the open object or array is empty so far
  bool after_key_ = false;
};

/// Returns true if `text` is UTF-8, as everything written must be.
bool is_utf8(std::string_view text);

/// Appends `text` as a JSON string with its quotes; only quotes, backslashes and control characters are
/// escaped.
void append_json_string(std::string& out, std::string_view text);

}  // namespace dinette::aws
