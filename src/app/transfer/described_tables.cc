#include "app/transfer/described_tables.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "dinette/aws/json_writer.h"
#include "dinette/dynamodb/item_files/answers.h"
#include "dinette/dynamodb/item_files/table_file.h"

namespace dinette::app {
namespace {

namespace item_files = dynamodb::item_files;
using base::Failure;
using item_files::Outcome;

Outcome<std::vector<std::string>> tags_of(const Transfer& transfer, const std::string& arn) {
  std::vector<std::string> pages;
  std::string token;
  do {
    std::string request = R"({"ResourceArn":)";
    aws::append_json_string(request, arn);
    if (!token.empty()) aws::append_json_string(request += R"(,"NextToken":)", token);
    DINETTE_TRY(auto page, output_if_known(transfer, "ListTagsOfResource", request + "}"));
    if (page.empty()) break;
    DINETTE_TRY(token, item_files::read_next_token(page));
    pages.push_back(std::move(page));
  } while (!token.empty());
  return pages;
}

}  // namespace

Outcome<std::string> output_if_known(const Transfer& transfer, std::string_view operation,
                                     std::string_view request) {
  auto output = transfer.call(operation, request);
  if (output) return std::move(output).value();
  if (output.error().type == unknown_operation) return std::string();
  return Failure{output.error().message};
}

Outcome<std::vector<std::string>> all_tables(const Transfer& transfer) {
  std::vector<std::string> names;
  std::string request = "{}";
  for (;;) {
    const auto output = transfer.call("ListTables", request);
    if (!output) return Failure{output.error().message};
    DINETTE_TRY(auto page, item_files::read_table_page(*output));
    std::ranges::move(page.names, std::back_inserter(names));
    if (page.last.empty()) return names;
    request = R"({"ExclusiveStartTableName":)";
    aws::append_json_string(request, page.last);
    request += "}";
  }
}

Outcome<std::string> table_file_of(const Transfer& transfer, const std::string& table,
                                   const std::string& description) {
  DINETTE_TRY(const auto facts, item_files::read_table_facts(description));
  DINETTE_TRY(const auto expiry, output_if_known(transfer, "DescribeTimeToLive", naming(table)));
  DINETTE_TRY(auto tags, tags_of(transfer, facts.arn));
  return item_files::table_file_text({description, expiry, std::move(tags)});
}

}  // namespace dinette::app
