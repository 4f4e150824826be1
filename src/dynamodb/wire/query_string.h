#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dinette::dynamodb::wire {

/// Undoes %XX; a broken one stands for itself. A "+" is a plus, as in signatures.
std::string percent_decode(std::string_view text);

/// Encodes all but letters, digits, "-", ".", "_", "~" and the characters of `kept`.
std::string percent_encode(std::string_view text, std::string_view kept = {});

/// The parameters of "a=1&b=2", decoded, in the order sent.
class QueryString {
 public:
  explicit QueryString(std::string_view query);

  std::optional<std::string_view> find(std::string_view name) const;
  const std::vector<std::pair<std::string, std::string>>& parameters() const { return parameters_; }

 private:
  std::vector<std::pair<std::string, std::string>> parameters_;
};

}  // namespace dinette::dynamodb::wire
