#pragma once

#include <string>
#include <string_view>

#include "dinette/observe/request_details.h"

#include "dynamodb/model/attribute_value.h"
#include "dynamodb/reads/item_page.h"
#include "dynamodb/reads/read_target.h"
#include "dynamodb/request/charge.h"
#include "dynamodb/request/explanation.h"
#include "dynamodb/tables/table_schema.h"

/// What reads came to, for requests that ask for it (docs/explain.md). Tables are named as the client does.
namespace dinette::dynamodb {

/// Adds the read of one item by its key: whether it was there, and what that cost.
void explain_read(Explanation& explanation, std::string_view table, const TableSchema& schema,
                  const model::Item& key, bool found, double units);

/// How a read of many items is called. The condition is read when the page has been, and empty for none.
struct ReadName {
  std::string_view operation;
  const std::string& key_condition;
};

/// Adds a page of a Query or Scan.
void explain_page(Explanation& explanation, const ReadName& name, std::string_view table,
                  const ReadTarget& target, const ItemPage& page, const Charge& charge);

/// Notes the same for reports.
void note_page(observe::RequestDetails& details, const ReadName& name, const ItemPage& page);

}  // namespace dinette::dynamodb
