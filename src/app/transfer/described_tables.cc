#include "app/transfer/described_tables.h"

#include <utility>

#include "dinette/dynamodb/item_files/answers.h"
#include "dinette/dynamodb/item_files/table_file.h"

#include "app/transfer/answer_pages.h"

namespace dinette::app {
namespace item_files = dynamodb::item_files;
using base::Failure;
using item_files::Outcome;

Outcome<std::string> output_if_known(const Transfer& transfer, std::string_view operation,
                                     std::string_view request) {
  auto output = transfer.call(operation, request);
  if (output) return std::move(output).value();
  if (output.error().type == unknown_operation) return std::string();
  return Failure{output.error().message};
}

Outcome<std::vector<std::string>> all_tables(const Transfer& transfer) {
  return read_table_names([&](std::string_view request) -> Outcome<std::string> {
    auto output = transfer.call("ListTables", request);
    if (!output) return Failure{output.error().message};
    return std::move(output).value();
  });
}

Outcome<std::string> table_file_of(const Transfer& transfer, const std::string& table,
                                   const std::string& description) {
  DINETTE_TRY(const auto facts, item_files::read_table_facts(description));
  DINETTE_TRY(const auto expiry, output_if_known(transfer, "DescribeTimeToLive", naming(table)));
  DINETTE_TRY(auto tags, read_tag_pages(facts.arn, [&](std::string_view request) {
                return output_if_known(transfer, "ListTagsOfResource", request);
              }));
  return item_files::table_file_text({description, expiry, std::move(tags)});
}

}  // namespace dinette::app
