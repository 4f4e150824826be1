#pragma once

#include <string_view>
#include <vector>

#include "dinette/base/function_ref.h"

#include "dynamodb/api/tag.h"
#include "dynamodb/request/context.h"
#include "dynamodb/tables/open_table.h"

/// Tags of tables and of their streams, in the order in which their keys came (docs/service/ttl-tags.md
/// section 2).
namespace dinette::dynamodb {

using Tags = std::vector<api::Tag>;

/// Checks that each tag is well-formed, and no key is given twice.
Answer<void> check_tags(const Tags& tags);
/// The same for the tags of a new table, together with the limits of what a resource may have.
Answer<void> check_new_tags(const Tags& tags);

Answer<void> check_tag_keys(const std::vector<std::string>& keys);

/// Adds tags; one with an existing key replaces the old tag.
void add_tags(Tags& tags, const Tags& added);

/// Checks that a ResourceArn has the form of a table's or stream's ARN, whether or not that exists.
Answer<void> check_resource_arn(std::string_view arn);

/// The tags of the table or stream.
Answer<Tags> read_tags(const Context& context, std::string_view arn);

/// Changes the tags; may run more than once.
using ChangeTags = base::FunctionRef<void(Tags& tags)>;

/// Changes the tags of the table or stream.
Answer<void> change_tags(const Context& context, std::string_view arn, ChangeTags change);

}  // namespace dinette::dynamodb
