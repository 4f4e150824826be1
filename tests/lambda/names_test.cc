#include "lambda/request/names.h"

#include <random>
#include <regex>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "dinette/aws/arn.h"
#include "dinette/aws/auth_options.h"

#include "lambda/wire/endpoint.h"
#include "support/random_seed.h"

// The patterns of docs/service/triggers.md section 1.1 as code, compared with a library of regular
// expressions.
namespace test::lambda::names_test {
namespace {

namespace lambda = dinette::lambda;
namespace aws = dinette::aws;

/// Returns the pattern of a member of CreateEventSourceMapping.
const aws::Pattern& pattern_of(std::string_view member) {
  for (const lambda::wire::Endpoint& endpoint : lambda::wire::endpoints()) {
    if (endpoint.operation->name != "CreateEventSourceMapping") continue;
    for (const aws::Member& one : endpoint.operation->input) {
      if (one.name == member) return *one.shape->pattern;
      for (const aws::Member& inner : one.shape->members) {
        if (inner.name == member) return *inner.shape->members.front().shape->pattern;
      }
    }
  }
  throw std::logic_error("no such member");
}

/// Within ARNs that have an account, regions that only this server has are accepted, too. Returns the ARN
/// with one of AWS in its place.
std::string with_known_region(const std::string& text) {
  const auto arn = aws::parse_arn(text);
  if (!arn || !aws::is_region_name(arn->region)) return text;
  // Without a name after the account, the pattern of functions takes the account for the name.
  const bool has_name = aws::is_account_number(arn->account) && !arn->resource.starts_with('$');
  if (arn->service == "lambda" && !has_name) return text;
  std::string known = text;
  return known.replace(static_cast<std::size_t>(arn->region.data() - text.data()), arn->region.size(),
                       "us-east-1");
}

/// What a sample may have at one place after another.
using Places = std::vector<std::vector<std::string>>;

/// Random samples, some of them with a character too many, are matched alike by both.
void compare(const aws::Pattern& pattern, const Places& places) {
  // `$` alone is an empty text.
  const std::string text = pattern.text.starts_with('$') ? "(|" + std::string(pattern.text.substr(2)) + ")"
                                                         : std::string(pattern.text);
  const std::regex expected(text);
  constexpr std::string_view others = ":a-$ \n.9";
  std::mt19937_64 random(dinette::test::random_seed());
  const int rounds = dinette::test::rounds_of(20'000);
  int matches = 0;
  for (int i = 0; i < rounds; ++i) {
    std::string sample;
    for (const auto& choices : places) sample += choices[random() % choices.size()];
    if (random() % 4 == 0) sample.insert(random() % (sample.size() + 1), 1, others[random() % others.size()]);
    const bool matched = pattern.matches(sample);
    INFO(sample);
    REQUIRE(matched ==
            (std::regex_match(sample, expected) || std::regex_match(with_known_region(sample), expected)));
    matches += matched ? 1 : 0;
  }
  CHECK(matches > rounds / 200);
}

}  // namespace

TEST_CASE("names of functions match as the pattern says") {
  compare(pattern_of("FunctionName"),
          {{"", "arn:aws:lambda:", "arn::lambda:", "arn:aws-cn:lambda:", "arn:a:lambda:", "lambda:"},
           {"", "us-east-1:", "us-gov-west-1:", "us-iso-east-1:", "us-isob-east-1:", "local:", "us-east:"},
           {"", "123456789012:", "12345678901:"},
           {"", "function:", "functions:"},
           {"work", "a_-.Z", "function", "123456789012", "us-east-1", ""},
           {"", ":live", ":1", ":$LATEST", ":$LATEST.PUBLISHED", ":$", ":"}});
}

TEST_CASE("ARNs of sources match as the pattern says") {
  compare(pattern_of("EventSourceArn"), {{"arn:", "arn", ""},
                                         {"aws", "aws-cn", "aws1", "a"},
                                         {":dynamodb", ":s3-x", ":"},
                                         {":us-east-1", ":us-gov-west-1", ":local", ":"},
                                         {":123456789012", ":1", ":"},
                                         {":", ""},
                                         {"table/x", "a:b", ""}});
}

TEST_CASE("destinations match as the pattern says") {
  compare(pattern_of("OnFailure"), {{"kafka://", "arn:aws:sqs:us-east-1:123456789012:", "kafka:/", ""},
                                    {"", "a", ".", "topic", std::string(248, 't')},
                                    {"", ".", "-_", "T1"}});
}

TEST_CASE("keys match as the pattern says") {
  compare(pattern_of("KMSKeyArn"),
          {{"arn:", ""}, {"aws:", "aws-cn:", ":", "a:"}, {"kms:", "x.y-1:", "K:", ":"}, {"key/1", ":", ""}});
}

TEST_CASE("the longest names are matched without delay") {
  const std::string longest(4096, 'a');
  CHECK(lambda::is_function_name(longest));
  std::string colons;
  for (int i = 0; i < 4096; ++i) colons += "function:";
  CHECK_FALSE(lambda::is_function_name(colons));
  CHECK_FALSE(lambda::is_destination("kafka://" + std::string(250, 'a')));
  CHECK(lambda::is_destination("kafka://" + std::string(249, 'a')));
}

TEST_CASE("a name says as much of a function as it has") {
  const auto function =
      lambda::read_function_name("arn:aws-cn:lambda:cn-north-1:123456789012:function:work:live");
  REQUIRE(function);
  CHECK(function->partition == "aws-cn");
  CHECK(function->region == "cn-north-1");
  CHECK(function->account == "123456789012");
  CHECK(function->name == "work");
  CHECK(function->qualifier == "live");
  const auto twice = lambda::read_function_name("function:$LATEST");
  REQUIRE(twice);
  CHECK(twice->name == "function");
  CHECK(twice->qualifier == "$LATEST");
  CHECK(lambda::read_function_name("function:live")->name == "live");
}

TEST_CASE("the ARN of a source shows if it is a stream") {
  using lambda::SourceKind;
  CHECK(lambda::kind_of_source("arn:aws:dynamodb:us-east-1:1:table/t/stream/x") ==
        SourceKind::dynamodb_stream);
  CHECK(lambda::kind_of_source("arn:aws:kinesis:us-east-1:1:stream/s") == SourceKind::kinesis_stream);
  CHECK(lambda::kind_of_source("arn:aws:kinesis:us-east-1:1:stream/s/consumer/c:1") ==
        SourceKind::kinesis_stream);
  CHECK_FALSE(lambda::kind_of_source("arn:aws:dynamodb:us-east-1:1:table/t"));
  CHECK_FALSE(lambda::kind_of_source("arn:aws:sqs:us-east-1:1:q"));
  CHECK_FALSE(lambda::kind_of_source("stream/s"));
}

}  // namespace test::lambda::names_test
