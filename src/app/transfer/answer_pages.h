#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dinette/base/function_ref.h"
#include "dinette/base/result.h"

namespace dinette::app {

/// Operations whose answers come in pages. Each reads the pages one after the other by a function that sends
/// one request, as JSON, and returns the answer.
using ReadPage = base::FunctionRef<base::Result<std::string, std::string>(std::string_view request)>;

/// Returns the names of all tables, by ListTables.
base::Result<std::vector<std::string>, std::string> read_table_names(ReadPage list_tables);

/// Returns the pages of a resource's tags, by ListTagsOfResource. An empty answer ends them.
base::Result<std::vector<std::string>, std::string> read_tag_pages(std::string_view arn, ReadPage list_tags);

}  // namespace dinette::app
