#pragma once

#include <optional>
#include <string>

namespace dinette::keyspaces::codec {

/// Values or cells by the names of columns, as JSON: they nest as deep as types of CQL do.
struct ItemText {
  std::optional<std::string> json{};
};

}  // namespace dinette::keyspaces::codec
