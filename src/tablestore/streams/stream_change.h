#pragma once

#include <optional>

#include "dinette/store/store.h"

#include "tablestore/api/messages.h"
#include "tablestore/model/table_meta.h"
#include "tablestore/request/context.h"

/// Enabling and disabling the stream of a table (tablestore/streams.md section 1).
namespace dinette::tablestore {

/// What a request wants the stream of a table to be.
class StreamChange {
 public:
  /// Checks it. Nothing given: no change.
  static Answer<StreamChange> read(const std::optional<api::StreamSpecification>& given);

  /// Makes the change. A stream that is enabled gets the records of the store's stream that is made by this.
  Answer<void> apply(const Context& context, TableMeta& table) const;

 private:
  std::optional<api::StreamSpecification> wanted_;
};

}  // namespace dinette::tablestore
