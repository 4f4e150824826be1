#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "dinette/base/result.h"
#include "dinette/http/url.h"

namespace dinette::lambda {

/// A function that is a program: it is started per call, with the event at its standard input, and what it
/// writes to standard output is the answer.
struct FunctionCommand {
  std::vector<std::string> arguments;  ///< the name of the program comes first

  bool operator==(const FunctionCommand&) const = default;
};

/// Where a function is called.
using FunctionPlace = std::variant<http::Url, FunctionCommand>;

/// Returns the name in what the API of Lambda takes as a function: a name or an ARN, whole or partial,
/// perhaps with a qualifier.
std::string_view function_name_of(std::string_view function);

/// Reads the URL of a function, which is called as it is. The error says what a good one looks like.
base::Result<FunctionPlace, std::string> read_function_url(std::string_view text);

/// Returns "http://127.0.0.1:9000/hook" or the words of the command, for people.
std::string text_of(const FunctionPlace& place);

/// Where the functions are that have names.
class FunctionPlaces {
 public:
  /// Adds a value of --lambda-endpoint: the URL of a server that has all functions, or NAME=URL for one of
  /// them. Functions are called at the path of Lambda's Invoke below a server's URL; but a URL that is given
  /// for one function with a path is called as it is. The latest value counts. The error says what a good one
  /// looks like.
  base::Result<void, std::string> add(std::string_view value);

  /// Returns where a function is (function_name_of()); nothing if that is not known.
  std::optional<FunctionPlace> find(std::string_view function) const;

 private:
  std::optional<http::Url> all_;
  std::map<std::string, http::Url, std::less<>> named_;
};

/// Returns true if a URL is that of Lambda's Invoke, or of a program with the same path: functions that
/// fail are answered with 200 there, and other statuses are about the request.
bool is_invoke_url(const http::Url& url);

}  // namespace dinette::lambda
