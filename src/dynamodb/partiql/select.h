#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "dynamodb/codec/inputs.h"
#include "dynamodb/partiql/bound.h"
#include "dynamodb/reads/item_selection.h"
#include "dynamodb/request/charge.h"
#include "dynamodb/request/context.h"

namespace dinette::dynamodb::partiql {

/// What a request says next to its statement.
struct PageWish {
  const std::string& text;  ///< of the statement
  const Parameters& parameters;
  bool consistent = false;
  std::size_t limit = 0;  ///< rows to read; 0 = no limit
  const std::string* next_token = nullptr;
};

/// A page of what a SELECT returns.
struct SelectedPage {
  codec::ItemListText items;
  std::optional<std::string> next_token;
  std::optional<codec::ItemText> last_key;
  Charge charge;
  std::size_t looked_at = 0;  ///< rows
  std::size_t returned = 0;
  std::size_t work = 0;
};

/// The columns of a SELECT. Refers to `bound`.
ItemSelection selection_of(const Bound& bound);

/// Runs a SELECT (docs/service/partiql.md section 3).
Answer<SelectedPage> select(const Context& context, const Bound& bound, const PageWish& wish);

}  // namespace dinette::dynamodb::partiql
