#include "lambda/request/names.h"

#include <algorithm>

#include "dinette/aws/arn.h"
#include "dinette/aws/auth_options.h"
#include "dinette/aws/region.h"
#include "dinette/base/ascii.h"
#include "dinette/http/tokens.h"

namespace dinette::lambda {
namespace {

using base::is_digit;
using std::string_view;

bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}

bool is_letter_or_dash(char c) {
  return base::is_letter(c) || c == '-';
}

bool is_of_version(char c) {
  return base::is_word_character(c) || c == '-';
}

bool is_of_function_name(char c) {
  return is_of_version(c) || c == '.';
}

bool is_one_line(string_view text) {
  return text.find('\n') == string_view::npos;
}

bool all_of(string_view text, bool (*of_class)(char)) {
  return std::ranges::all_of(text, of_class);
}

/// `aws` and more of a class.
bool is_partition(string_view text, bool (*of_class)(char)) {
  return text.starts_with("aws") && all_of(text.substr(3), of_class);
}

/// `[a-z]{2}((-gov)|(-iso([a-z]?)))?-[a-z]+-\d`.
bool is_region_of_aws(string_view text) {
  if (text.size() < 2 || !all_of(text.substr(0, 2), is_lower)) return false;
  text.remove_prefix(2);
  const std::size_t end = text.rfind('-');
  if (end == string_view::npos || text.size() - end != 2 || !is_digit(text.back())) return false;
  text = text.substr(0, end);  // "-gov-west"
  const std::size_t word = text.rfind('-');
  if (word == string_view::npos || word + 1 == text.size() || !all_of(text.substr(word + 1), is_lower))
    return false;
  const string_view kind = text.substr(0, word);
  return kind.empty() || kind == "-gov" || kind == "-iso" ||
         (kind.size() == 5 && kind.starts_with("-iso") && is_lower(kind.back()));
}

bool is_qualifier(string_view text) {
  if (text == "$LATEST" || text == "$LATEST.PUBLISHED") return true;
  return !text.empty() && all_of(text, is_of_version);
}

/// Takes `arn:<partition>:lambda:` off the text, if it begins so.
bool take_prefix(string_view& text, FunctionName& out) {
  string_view rest = text;
  if (http::take_until(rest, ':') != "arn") return false;
  const string_view partition = http::take_until(rest, ':');
  if (!partition.empty() && !is_partition(partition, is_letter_or_dash)) return false;
  if (http::take_until(rest, ':') != "lambda" || rest.empty()) return false;
  out.partition = partition;
  text = rest;
  return true;
}

/// Takes a part and the colon after it off the text, if it passes.
bool take_part(string_view& text, string_view& out, bool (*passes)(string_view)) {
  const std::size_t end = text.find(':');
  if (end == string_view::npos || !passes(text.substr(0, end))) return false;
  out = text.substr(0, end);
  text.remove_prefix(end + 1);
  return true;
}

/// `name` or `name:qualifier`.
bool read_qualified_name(string_view text, FunctionName& out) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  out.name = text.substr(0, colon);
  if (out.name.empty() || !all_of(out.name, is_of_function_name)) return false;
  if (colon == text.size()) return true;
  out.qualifier = text.substr(colon + 1);
  return is_qualifier(out.qualifier);
}

bool is_word_function(string_view text) {
  return text == "function";
}

/// The parts before the name are optional, each by itself. They are tried as a regular expression tries them:
/// `function:prod` is the function `prod`, `function:$LATEST` one that is called `function`.
bool read_parts(string_view text, int part, FunctionName& out) {
  FunctionName with = out;
  string_view rest = text;
  string_view word;
  bool taken = false;
  if (part == 0) taken = take_part(rest, with.region, is_region_of_aws);
  if (part == 1) taken = take_part(rest, with.account, aws::is_account_number);
  if (part == 2) taken = take_part(rest, word, is_word_function);
  if (part == 3) return read_qualified_name(text, out);
  if (!taken || !read_parts(rest, part + 1, with)) return read_parts(text, part + 1, out);
  out = with;
  return true;
}

bool read_parts_of_name(string_view text, FunctionName& out) {
  return read_parts(text, 0, out);
}

/// The rest of an ARN with an account, also with a region that AWS does not have.
bool read_rest_of_arn(string_view text, FunctionName& out) {
  return take_part(text, out.region, aws::is_region_name) &&
         take_part(text, out.account, aws::is_account_number) && read_parts(text, 2, out);
}

}  // namespace

bool is_arn(string_view text) {
  const auto arn = aws::parse_arn(text);
  const auto is_of_arn = [](char c) { return is_letter_or_dash(c) || is_digit(c); };
  return arn && is_partition(arn->partition, is_of_arn) && !arn->service.empty() &&
         all_of(arn->service, is_of_arn) && (arn->region.empty() || aws::is_region_name(arn->region)) &&
         (arn->account.empty() || aws::is_account_number(arn->account)) && is_one_line(arn->resource);
}

bool is_function_name(string_view text) {
  return read_function_name(text).has_value();
}

bool is_destination(string_view text) {
  constexpr string_view kafka = "kafka://";
  constexpr std::size_t longest_topic = 249;
  if (text.empty() || is_arn(text)) return true;
  if (!text.starts_with(kafka)) return false;
  const string_view topic = text.substr(kafka.size());
  return !topic.empty() && topic.size() <= longest_topic && topic.front() != '.' &&
         all_of(topic.substr(1), is_of_function_name);
}

bool is_key_arn(string_view text) {
  if (text.empty()) return true;
  string_view rest = text;
  if (http::take_until(rest, ':') != "arn") return false;
  const string_view partition = http::take_until(rest, ':');
  if (!partition.empty() && !is_partition(partition, is_letter_or_dash)) return false;
  const std::size_t colon = rest.find(':');
  const auto is_of_service = [](char c) { return is_lower(c) || is_digit(c) || c == '-' || c == '.'; };
  return colon != string_view::npos && colon > 0 && all_of(rest.substr(0, colon), is_of_service) &&
         is_one_line(rest);
}

std::optional<FunctionName> read_function_name(string_view text) {
  FunctionName prefix;
  string_view rest = text;
  if (take_prefix(rest, prefix)) {
    for (const auto& read : {read_rest_of_arn, read_parts_of_name}) {
      FunctionName function = prefix;
      if (read(rest, function)) return function;
    }
  }
  FunctionName function;
  if (read_parts_of_name(text, function)) return function;
  return std::nullopt;
}

std::string arn_of(const FunctionName& function, string_view account, string_view region) {
  const auto given_or = [](string_view given, string_view other) { return given.empty() ? other : given; };
  const string_view its_region = given_or(function.region, region);
  std::string arn("arn:");
  arn.append(given_or(function.partition, aws::partition_of(its_region))).append(":lambda:");
  arn.append(its_region).append(":");
  arn.append(given_or(function.account, account)).append(":function:");
  return arn.append(qualified_name(function));
}

std::string qualified_name(const FunctionName& function) {
  std::string name(function.name);
  if (!function.qualifier.empty()) name.append(":").append(function.qualifier);
  return name;
}

std::optional<SourceKind> kind_of_source(string_view text) {
  const auto arn = aws::parse_arn(text);
  if (!arn) return std::nullopt;
  const bool is_stream_of_table =
      arn->resource.starts_with("table/") && arn->resource.find("/stream/") != string_view::npos;
  if (arn->service == "dynamodb" && is_stream_of_table) return SourceKind::dynamodb_stream;
  if (arn->service == "kinesis" && arn->resource.starts_with("stream/")) return SourceKind::kinesis_stream;
  return std::nullopt;
}

}  // namespace dinette::lambda
