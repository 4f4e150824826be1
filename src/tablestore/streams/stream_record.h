#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "dinette/base/clock.h"
#include "dinette/kv/value.h"

#include "tablestore/api/enums.h"
#include "tablestore/api/messages.h"

namespace dinette::tablestore {

/// What a stream has of one write of a row (tablestore/streams.md section 3). Rows are in PlainBuffer.
struct RowRecord {
  api::ActionType action = api::ActionType::put_row;
  std::string row = {};
  std::string origin = {};  ///< the former values that the stream asks for; empty: none
  std::uint32_t index = 0;  ///< among the writes of a request
};

/// Returns the record that the store's stream keeps (FORMAT.md). `time`: of the commit.
kv::Value pack(const RowRecord& record, base::TimePoint time);

/// A record as it was kept. A view.
struct KeptRecord {
  api::ActionType action = api::ActionType::put_row;
  base::TimePoint time;
  std::uint32_t index = 0;
  std::string_view row;
  std::string_view origin;

  /// Returns nothing for what is no record.
  static std::optional<KeptRecord> read(std::string_view bytes);
  /// Returns it as replies have it, with the extension that says where it is in the sequence.
  api::StreamRecord described() const;
};

}  // namespace dinette::tablestore
