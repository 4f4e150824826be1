#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "dinette/base/sha256.h"

#include "dynamodb/model/attribute_value.h"
#include "dynamodb/request/request_expressions.h"

namespace dinette::dynamodb {

/// A digest of what a request asks for, for its ClientRequestToken. Equal values count as the same however
/// they are written (docs/service/transactions.md section 6). What is added keeps its borders and its order.
class RequestDigest {
 public:
  explicit RequestDigest(std::string_view operation) { add(operation); }

  void add(std::string_view text);
  void add_optional(const std::optional<std::string>& text);
  void add(const model::Item& item);
  void add(const ExpressionNames& names);
  void add(const ExpressionValues& values);

  template <class Enum>
  void add_enum(Enum value) {
    add(std::string_view(to_string(value)));
  }

  base::Sha256Digest finish() const { return base::sha256(bytes_); }

 private:
  void add_count(std::size_t count);

  std::string bytes_;
};

}  // namespace dinette::dynamodb
