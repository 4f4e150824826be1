#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dinette::http {

/// Replaces each %XX with its byte. Malformed sequences are left unchanged; "+" is not a space.
std::string percent_decode(std::string_view text);

/// Percent-encodes, with upper-case digits, all but letters, digits, "-", ".", "_", "~" and the characters in
/// `kept`.
std::string percent_encode(std::string_view text, std::string_view kept = {});

/// The parameters of a target such as "/?a=1&b=2", decoded, in the order sent. A name may repeat.
class QueryString {
 public:
  /// `query` is the text after the "?", as Request::query() returns it.
  explicit QueryString(std::string_view query);

  /// Returns the first value of that name; nothing if there is none.
  std::optional<std::string_view> find(std::string_view name) const;
  const std::vector<std::pair<std::string, std::string>>& parameters() const { return parameters_; }

 private:
  std::vector<std::pair<std::string, std::string>> parameters_;
};

}  // namespace dinette::http
