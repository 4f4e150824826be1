#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "dinette/store/placement.h"

#include "dynamodb/api/filter_specification.h"
#include "dynamodb/expr/key_condition.h"
#include "dynamodb/reads/item_filter.h"
#include "dynamodb/reads/item_selection.h"
#include "dynamodb/request/api_error.h"
#include "dynamodb/tables/table_schema.h"

namespace dinette::dynamodb {

/// Which items an export has, and which parts of them (docs/service/export-import.md section 1,
/// "FilterSpecification").
class ExportFilter {
 public:
  /// Checks what needs no table.
  static Answer<std::unique_ptr<const ExportFilter>> make(const api::FilterSpecification& specification);
  ExportFilter(const ExportFilter&) = delete;
  ExportFilter& operator=(const ExportFilter&) = delete;

  /// Returns the keys of the rows that the key condition admits; refuses what does not fit the table.
  Answer<store::KeyRange> range_in(const TableSchema& schema) const;

  /// Returns true if the item of `record` is exported. Fails if the record is corrupt.
  kv::Result<bool> admits(std::string_view record) const;
  /// Appends what is exported of it.
  kv::Result<void> append_selected(std::string& json, std::string_view record) const;

 private:
  explicit ExportFilter(const api::FilterSpecification& specification) : specification_(specification) {}
  Answer<void> bind();
  Answer<store::KeyRange> match(const TableSchema& schema) const;

  const api::FilterSpecification specification_;  ///< which the others refer to
  std::optional<expr::KeyCondition> key_;
  ItemFilter filter_;
  ItemSelection selection_;
};

}  // namespace dinette::dynamodb
