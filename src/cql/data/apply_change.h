#pragma once

#include <deque>
#include <string>

#include "cql/data/merge.h"
#include "cql/data/row_write.h"
#include "cql/error.h"

namespace dinette::cql::data {

/// Applies changes to the cells of a row.
class ChangeWriter {
 public:
  /// `visible`: of the same cells, those that can be seen, for changes that read. `made` keeps the bytes that
  /// changes make, as long as the cells live.
  ChangeWriter(Cells& cells, const Cells& visible, const Deletion& hidden_by, const RowWrite& write,
               std::deque<std::string>& made)
      : cells_(cells), visible_(visible), hidden_by_(hidden_by), write_(write), made_(made) {}

  Answer<void> apply(const CellChange& change);

 private:
  void put(const CellChange& change, std::string_view path, std::string_view key, std::string_view value);
  void erase(const CellChange& change, std::string_view path);
  void erase_all(const CellChange& change);
  void add_to_list(const CellChange& change);
  Answer<const Cell*> element_at(const CellChange& change) const;
  void erase_equal(const CellChange& change);
  void add(const CellChange& change);
  std::string_view keep(std::string bytes) { return made_.emplace_back(std::move(bytes)); }

  Cells& cells_;
  const Cells& visible_;
  const Deletion& hidden_by_;
  const RowWrite& write_;
  std::deque<std::string>& made_;
};

}  // namespace dinette::cql::data
