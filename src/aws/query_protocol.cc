#include "aws/query_protocol.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "dinette/base/ascii.h"
#include "dinette/http/query_string.h"

namespace dinette::aws {
namespace {

constexpr std::string_view form_type = "application/x-www-form-urlencoded";
constexpr std::size_t looked_at_bytes = 4096;  // clients write the Action first
constexpr std::size_t longest_action = 128;

// What deploying a stack calls, by the AWS CLI, CDK, SAM, the Serverless Framework or Terraform.
constexpr std::array<std::string_view, 9> stack_actions{
    "CreateChangeSet", "CreateStack",        "DescribeStackEvents", "DescribeStacks",  "GetTemplate",
    "ListStacks",      "GetTemplateSummary", "UpdateStack",         "ValidateTemplate"};

bool is_action(std::string_view text) {
  return !text.empty() && text.size() <= longest_action &&
         std::ranges::all_of(text, [](char c) { return base::is_letter(c) || base::is_digit(c); });
}

}  // namespace

std::optional<std::string> query_action(std::string_view content_type, std::string_view body) {
  if (!base::equal_ignoring_case(content_type.substr(0, form_type.size()), form_type)) return std::nullopt;
  const http::QueryString form(body.substr(0, looked_at_bytes));
  const auto action = form.find("Action");
  if (!action) return std::nullopt;
  return is_action(*action) ? std::string(*action) : "?";
}

std::string_view advice_for_action(std::string_view action) {
  if (std::ranges::find(stack_actions, action) == stack_actions.end()) return {};
  return " To create the tables of a template: dinette tables apply template.yaml --into URL.";
}

std::string query_error(std::string_view code, std::string_view message, std::string_view request_id) {
  return "<ErrorResponse><Error><Type>Sender</Type><Code>" + std::string(code) + "</Code><Message>" +
         std::string(message) + "</Message></Error><RequestId>" + std::string(request_id) +
         "</RequestId></ErrorResponse>";
}

}  // namespace dinette::aws
