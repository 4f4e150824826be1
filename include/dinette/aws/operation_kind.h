#pragma once

#include <cstdint>

namespace dinette::aws {

/// The facts of the specs by which throttling and faults distinguish operations (api-specs/spec.schema.json).
enum class Plane : std::uint8_t { data, control, streams };
enum class Effect : std::uint8_t { read, write };
enum class Grouping : std::uint8_t { none, batch, transaction };

struct OperationKind {
  Plane plane;
  Effect effect;                       ///< write: it may write
  Grouping grouping = Grouping::none;  ///< of the data plane
  bool table_operation = false;        ///< counts among the simultaneous table operations
};

}  // namespace dinette::aws
