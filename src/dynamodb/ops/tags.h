#pragma once

#include <string_view>
#include <vector>

#include "dinette/base/function_ref.h"

#include "dynamodb/api/types.h"
#include "dynamodb/ops/context.h"
#include "dynamodb/ops/open_table.h"

/// Tags of tables, in the order in which their keys came (facts: ttl-tags.md section 2).
namespace dinette::dynamodb::ops {

using Tags = std::vector<api::Tag>;

/// What the model's constraints cannot say about tags that are to be added.
Answer<void> check_tags(const Tags& tags);

/// A tag of a key that is there already takes its place.
void add_tags(Tags& tags, const Tags& added);

/// A ResourceArn has the form of a table's ARN, whether there is such a table or not.
Answer<void> check_resource_arn(std::string_view arn);

/// What becomes of the tags; may run more than once.
using ChangeTags = base::FunctionRef<void(Tags& tags)>;

/// Changes the tags of an ACTIVE table.
Answer<void> change_tags(const Context& context, std::string_view arn, ChangeTags change);

}  // namespace dinette::dynamodb::ops
