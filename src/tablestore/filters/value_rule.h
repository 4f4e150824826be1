#pragma once

#include <memory>
#include <optional>

#include "tablestore/api/messages.h"
#include "tablestore/model/value.h"
#include "tablestore/request/api_error.h"

namespace dinette::tablestore {

/// Takes a part of a String by a regular expression, and reads it as another type, before it is compared
/// (tablestore/filters.md section 1). Expressions have the syntax of Perl, and characters are bytes.
class ValueRule {
 public:
  static Answer<ValueRule> read(const api::ValueTransferRule& message);

  /// Returns the first match, or what its first group has matched if there is one: a view of `value`. Returns
  /// nothing if there is none, if it cannot be read as the type, and for a value that is no String; also once
  /// matching has been given up, because it would take too long.
  std::optional<Value> apply(const Value& value) const;

 private:
  struct Pattern;

  std::shared_ptr<const Pattern> pattern_;
  api::CastType type_ = api::CastType::string;
};

}  // namespace dinette::tablestore
