#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/base/result.h"
#include "dinette/definitions/node.h"

namespace dinette::definitions {

/// Limits of what is read, so that no file can exhaust memory or the stack.
struct ReadLimits {
  std::size_t bytes = 64 << 20;
  int depth = 100;                ///< of nested lists and maps
  std::size_t nodes = 1'000'000;  ///< of values, those of aliases counted each time
};

/// Why a text could not be read.
struct ReadError {
  Place place;
  std::string reason;  ///< "a value ends too early"; a part of a sentence

  /// Returns "template.yaml, line 3: a value ends too early".
  std::string text() const;
};

/// Keys that maps have twice or more, at most 100 of them.
using RepeatedKeys = std::vector<ReadError>;

/// Reads JSON or, if the text does not begin with `{` or `[`, YAML. `file` names it in places. A
/// key that a map has twice is an error; with `repeated`, its last value is read, and it is added there.
base::Result<Node, ReadError> read_node(std::string_view text, std::string_view file,
                                        const ReadLimits& limits = {}, RepeatedKeys* repeated = nullptr);

/// Reads the text of one JSON value.
base::Result<Node, ReadError> read_json(std::string_view text, std::string_view file,
                                        const ReadLimits& limits = {}, RepeatedKeys* repeated = nullptr);

/// Reads the first document of a YAML file. Short tags such as `!Sub` are kept (Node::tag), aliases and merge
/// keys are resolved. A plain scalar is null, boolean or number if JSON would write it so (true, True, TRUE;
/// ~ and nothing are null too), else text: `on`, `yes` and 007 stay text.
base::Result<Node, ReadError> read_yaml(std::string_view text, std::string_view file,
                                        const ReadLimits& limits = {}, RepeatedKeys* repeated = nullptr);

}  // namespace dinette::definitions
