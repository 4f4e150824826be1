#pragma once

#include <string>

#include <nlohmann/json.hpp>

/// Every test's source begins with this (cmake/DinetteBuild.cmake). Tests are not optimised; what reads and
/// writes their JSON is, once for all: with megabytes of it, tests took up to twice as long.
namespace test::compiled_json {

using Text = nlohmann::detail::iterator_input_adapter<std::string::const_iterator>;

}  // namespace test::compiled_json

// DINETTE_EACH_JSON(DECLARE) declares or defines each of them.
#define DINETTE_EACH_JSON(DECLARE)                                                                   \
  DECLARE template class nlohmann::basic_json<>;                                                     \
  DECLARE template class nlohmann::detail::serializer<nlohmann::json>;                               \
  DECLARE template class nlohmann::detail::lexer<nlohmann::json, test::compiled_json::Text>;         \
  DECLARE template class nlohmann::detail::parser<nlohmann::json, test::compiled_json::Text>;        \
  DECLARE template class nlohmann::detail::serializer<nlohmann::ordered_json>;                       \
  DECLARE template class nlohmann::detail::lexer<nlohmann::ordered_json, test::compiled_json::Text>; \
  DECLARE template class nlohmann::detail::parser<nlohmann::ordered_json, test::compiled_json::Text>;

DINETTE_EACH_JSON(extern)
