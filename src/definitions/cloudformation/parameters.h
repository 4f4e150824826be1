#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "dinette/base/result.h"
#include "dinette/definitions/definitions.h"

namespace dinette::definitions::cloudformation {

/// The parameters of a template, with the values that the user gives.
class Parameters {
 public:
  /// `section`, which may be null, and `given` must outlive it.
  using Given = std::map<std::string, std::string, std::less<>>;
  Parameters(const Node* section, const Given& given);

  bool has(std::string_view name) const { return declared_.contains(name); }
  /// Returns the value of a parameter that the template has: a text, or a list of texts. Null: neither the
  /// user nor the template gives one. Fails with a sentence if the value is not what the template allows.
  base::Result<Node, Note> value(std::string_view name) const;

 private:
  std::map<std::string_view, const Node*> declared_;
  const Given& given_;
};

}  // namespace dinette::definitions::cloudformation
