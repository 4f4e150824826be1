#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/base/result.h"
#include "dinette/tenancy/world.h"

/// Statements that people type, for another front end of the same process (Service::run).
namespace dinette::cql {

struct PromptStatement {
  std::shared_ptr<tenancy::World> world{};  ///< in which it is carried out
  std::string_view world_name{};            ///< as reports and logs show it
  std::string_view statement{};
  std::string_view keyspace{};  ///< that is in use, or empty
  std::int32_t page_size = 100;
  std::optional<std::string_view> paging_state{};
  std::string_view remote{};      ///< who asks: address and port
  std::string_view agent{};       ///< its program
  bool listed = true;             ///< it is among the recent requests, and in the report
  bool spared_by_faults = false;  ///< rules for faults do not apply
};

struct PromptColumn {
  std::string keyspace{};
  std::string table{};
  std::string name{};
  std::string type{};  ///< as CQL
};

struct PromptRows {
  std::vector<PromptColumn> columns{};
  /// Values as texts; null is nullopt. Those without parts as CAST makes them, blobs as 0x and hexadecimal
  /// digits, collections, tuples and user types as the JSON of SELECT JSON.
  std::vector<std::vector<std::optional<std::string>>> rows{};
  std::optional<std::string> paging_state{};  ///< bytes: of the next page, if there may be one
};

/// What a statement has led to.
struct PromptAnswer {
  std::optional<PromptRows> rows{};
  std::optional<std::string> keyspace{};  ///< that USE has chosen
};

/// A place in a statement, in characters.
struct StatementPlace {
  std::size_t line = 1;    ///< from 1
  std::size_t column = 0;  ///< from 0
};

struct PromptError {
  std::string name{};  ///< as drivers have it: "SyntaxError"
  std::string message{};
  std::optional<StatementPlace> place{};  ///< of a syntax error
};

template <class T>
using Prompted = base::Result<T, PromptError>;

}  // namespace dinette::cql
