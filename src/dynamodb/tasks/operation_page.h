#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "dinette/base/function_ref.h"

#include "dynamodb/request/context.h"
#include "dynamodb/tasks/operation.h"
#include "dynamodb/tasks/page_token.h"

namespace dinette::dynamodb {

inline constexpr std::int32_t usual_operations_per_page = 10;

/// Lists operations that are shown, in the order of their keys: calls `add` for up to `limit` that `admits`
/// lets pass, from where the token, if there is one, says. `list` is the name of the list's operation.
/// Returns the token of the next page, if there is one.
template <class Entry>
Answer<std::optional<std::string>> list_operations(const Context& context, std::string_view list,
                                                   const std::optional<std::string>& token, std::size_t limit,
                                                   base::FunctionRef<bool(const Entry& entry)> admits,
                                                   base::FunctionRef<void(const Entry& entry)> add) {
  DINETTE_TRY(const store::KeyRange range, range_after(list, token));
  DINETTE_STORED(const store::View view, context.store.view());
  std::size_t listed = 0;
  std::string last;
  std::optional<std::string> next;
  const auto visit = [&](const Entry& entry) {
    if (end_of(entry) <= context.now || !admits(entry)) return true;
    if (listed++ == limit) {
      next = page_token(list, last);
      return false;
    }
    add(entry);
    last = key_of(entry);
    return true;
  };
  if (const auto read = for_each_entry<Entry>(view, range, visit); !read)
    return storage_failure(read.error());
  return next;
}

}  // namespace dinette::dynamodb
