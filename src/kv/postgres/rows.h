#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

#include "dinette/base/bytes.h"

#include "kv/postgres/libpq.h"

namespace dinette::kv::postgres {

/// What one statement returned, in binary format. The columns must have the types that are asked for.
class Rows {
 public:
  struct Clear {
    void operator()(PGresult* result) const { pq().PQclear(result); }
  };
  using Held = std::unique_ptr<PGresult, Clear>;

  explicit Rows(Held result) : result_(std::move(result)) {}  ///< Copies share it.

  int size() const { return pq().PQntuples(result_.get()); }
  bool is_null(int row, int column) const { return pq().PQgetisnull(result_.get(), row, column) != 0; }
  /// Valid as long as these rows.
  std::string_view bytes(int row, int column) const {
    return {pq().PQgetvalue(result_.get(), row, column),
            static_cast<std::size_t>(pq().PQgetlength(result_.get(), row, column))};
  }
  std::int64_t int8(int row, int column) const {
    return static_cast<std::int64_t>(
        base::load_big_endian<std::uint64_t>(pq().PQgetvalue(result_.get(), row, column)));
  }
  std::int32_t int4(int row, int column) const {
    return static_cast<std::int32_t>(
        base::load_big_endian<std::uint32_t>(pq().PQgetvalue(result_.get(), row, column)));
  }
  bool flag(int row, int column) const { return bytes(row, column) == std::string_view("\1", 1); }

 private:
  std::shared_ptr<PGresult> result_;
};

}  // namespace dinette::kv::postgres
