#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/base/result.h"

#include "../format.h"
#include "variable_text.h"

namespace dinette::definitions::serverless {

/// Resolves the variables of a service. What it resolves altogether is limited, so that variables that
/// refer to each other many times cannot exhaust memory or time.
class Variables {
 public:
  /// A failure is a sentence that names the variable.
  template <class T>
  using Outcome = base::Result<T, std::string>;

  /// Both must outlive this.
  Variables(const Node& service, const Input& input);

  /// Returns a value with all variables in it resolved.
  Outcome<Node> resolve(const Node& value);

  /// Returns the value that a text means which is one variable, with the variables in it as they are; any
  /// other value as it is. Null, if it has none. It lives as long as this does.
  Outcome<const Node*> look(const Node& value);

  /// Returns the text of a value of the service, such as `provider.stackName`; empty if it has none.
  std::string text(std::string_view address);

  const std::string& stage();

 private:
  /// What a source has. Of the service and of files it is what is written there; all else is a value.
  struct Found {
    const Node* written = nullptr;
    Node value;
  };
  using Finding = Outcome<std::optional<Found>>;

  /// Returns nothing if no source has a value.
  Finding find(const std::vector<VariableSource>& sources);
  Finding find_in(const VariableSource& source);
  Finding find_nested(const VariableSource& source);
  Finding find_self(const std::string& address);
  Finding find_file(const std::string& path, const std::string& address);
  Finding find_parameter(const std::string& name);
  Finding find_boolean(const std::string& text);
  std::optional<Found> find_option(const std::string& name);
  std::optional<Found> find_environment(const std::string& name);
  /// Follows an address from a value that is written.
  Finding walk(const Node& from, std::string_view address);
  Outcome<std::optional<const Node*>> look_if_there(const Node& value);
  Outcome<Node> value_of(Found found);
  Outcome<Node> resolve_text(const Node& value);
  Outcome<Node> resolve_variable(const VariablePart& variable);
  /// Returns nothing if a variable has no value.
  Outcome<std::optional<std::string>> joined(const std::vector<VariablePart>& parts);
  /// Returns null if there is no such file.
  Outcome<const Node*> file(const std::string& path);
  Outcome<void> charge(std::size_t size);

  const Node& service_;
  const Input& input_;
  std::map<std::string, std::optional<Node>> files_;
  std::deque<Node> looked_;     ///< values that `look` made, kept for their users
  std::set<std::string> open_;  ///< variables that are being resolved
  std::optional<std::map<std::string, std::string, std::less<>>> dotenv_;
  std::optional<std::string> stage_;
  int depth_ = 0;
  std::size_t size_ = 0;
};

}  // namespace dinette::definitions::serverless
