#include "app/transfer/answer_pages.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "dinette/aws/json_writer.h"
#include "dinette/dynamodb/item_files/answers.h"

namespace dinette::app {

namespace item_files = dynamodb::item_files;

base::Result<std::vector<std::string>, std::string> read_table_names(ReadPage list_tables) {
  std::vector<std::string> names;
  std::string request = "{}";
  for (;;) {
    DINETTE_TRY(const auto output, list_tables(request));
    DINETTE_TRY(auto page, item_files::read_table_page(output));
    std::ranges::move(page.names, std::back_inserter(names));
    if (page.last.empty()) return names;
    request = R"({"ExclusiveStartTableName":)";
    aws::append_json_string(request, page.last);
    request += "}";
  }
}

base::Result<std::vector<std::string>, std::string> read_tag_pages(std::string_view arn, ReadPage list_tags) {
  std::vector<std::string> pages;
  std::string token;
  do {
    std::string request = R"({"ResourceArn":)";
    aws::append_json_string(request, arn);
    if (!token.empty()) aws::append_json_string(request += R"(,"NextToken":)", token);
    DINETTE_TRY(auto page, list_tags(request + "}"));
    if (page.empty()) break;
    DINETTE_TRY(token, item_files::read_next_token(page));
    pages.push_back(std::move(page));
  } while (!token.empty());
  return pages;
}

}  // namespace dinette::app
