#include "lambda/functions/batch_verdict.h"

#include <string>
#include <string_view>

#include <catch2/catch.hpp>

#include "lambda/functions/batches.h"

// docs/service/triggers.md sections 3.4 and 5
namespace dinette::lambda::batch_verdict_test {
namespace {

using deliveries::Verdict;

constexpr AnswerRule reports{.reports_failures = true};
constexpr AnswerRule keeps{.keeps_state = true};
constexpr AnswerRule both{.reports_failures = true, .keeps_state = true};

/// Returns "done", "failed", or "done 2" for a batch whose first two records are done.
std::string outcome(std::string_view answer, const AnswerRule& rule = reports) {
  const auto records = four_records();
  const Verdict verdict = verdict_of(answer, batch_of(records), rule);
  switch (verdict.kind) {
    case Verdict::Kind::done:
      return "done";
    case Verdict::Kind::partly:
      return "done " + std::to_string(verdict.done);
    case Verdict::Kind::failed:
      return verdict.reason.empty() ? "failed without a reason" : "failed";
    case Verdict::Kind::unavailable:
      break;
  }
  return "unavailable";
}

Verdict state_verdict(std::string_view answer, const AnswerRule& rule = keeps) {
  const auto records = four_records();
  return verdict_of(answer, batch_of(records), rule);
}

TEST_CASE("without ReportBatchItemFailures, no answer is looked at") {
  CHECK(outcome(R"({"batchItemFailures":[{"itemIdentifier":"101"}]})", {}) == "done");
  CHECK(outcome("no JSON", {}) == "done");
}

TEST_CASE("an answer without failures means that all records are done") {
  for (const std::string_view answer :
       {"null", "{}", "[]", R"({"batchItemFailures":[]})", R"({"batchItemFailures":null})", R"("")",
        R"("text")", "5", R"({"a":1})", "", " \r\n"}) {
    CAPTURE(answer);
    CHECK(outcome(answer) == "done");
  }
}

TEST_CASE("all before the lowest number that is reported are done") {
  CHECK(outcome(R"({"batchItemFailures":[{"itemIdentifier":"103"}]})") == "done 2");
  CHECK(outcome(R"({"batchItemFailures":[{"itemIdentifier":"104"},{"itemIdentifier":"102"}]})") == "done 1");
  CHECK(outcome(R"({"batchItemFailures":[{"itemIdentifier":"102","more":1}],"more":2})") == "done 1");
}

TEST_CASE("a report of the first record is a valid answer, after which none is done") {
  CHECK(outcome(R"({"batchItemFailures":[{"itemIdentifier":"101"}]})") == "done 0");
  CHECK(outcome(R"({"batchItemFailures":[{"itemIdentifier":"103"},{"itemIdentifier":"101"}]})") == "done 0");
}

TEST_CASE("a batch has failed if a report names none of its records") {
  for (const std::string_view entry :
       {R"({"itemIdentifier":""})", R"({"itemIdentifier":null})", R"({"itemIdentifier":123})",
        R"({"itemIdentifier":"105"})", R"({"foo":123})", R"({"foo":null})", "{}", "null", R"("102")"}) {
    CAPTURE(entry);
    CHECK(outcome(R"({"batchItemFailures":[)" + std::string(entry) + "]}") == "failed");
    CHECK(outcome(R"({"batchItemFailures":[{"itemIdentifier":"103"},)" + std::string(entry) + "]}") ==
          "failed");
  }
}

TEST_CASE("a batch has failed if the report is no list, or the answer no JSON") {
  for (const std::string_view answer :
       {R"({"batchItemFailures":{}})", R"({"batchItemFailures":"102"})", R"({"batchItemFailures":1})",
        "no JSON", "{", R"({"batchItemFailures":[)"}) {
    CAPTURE(answer);
    CHECK(outcome(answer) == "failed");
  }
}

TEST_CASE("an answer that nests too deep is no JSON") {
  CHECK(outcome(std::string(5000, '[') + std::string(5000, ']')) == "failed");
}

TEST_CASE("in a tumbling window, the state is kept as it is written") {
  const Verdict verdict = state_verdict(R"({"more":[1], "state" : {"sum": 1.50, "name":"\u00e4"} })");
  CHECK(verdict.kind == Verdict::Kind::done);
  CHECK(verdict.state == R"({"sum": 1.50, "name":"\u00e4"})");
  CHECK_FALSE(verdict.too_large);
}

TEST_CASE("in a tumbling window, an answer without state is a failure") {
  for (const std::string_view answer : {"null", "", "{}", R"({"state":null})", "[]", "no JSON"}) {
    CAPTURE(answer);
    CHECK(outcome(answer, keeps) == "failed");
  }
}

TEST_CASE("a state above 1 MB ends its window") {
  const std::string most(most_state_bytes - 2, 'x');
  CHECK_FALSE(state_verdict(R"({"state":")" + most + R"("})").too_large);
  const Verdict verdict = state_verdict(R"({"state":")" + most + R"(x"})");
  CHECK(verdict.too_large);
  CHECK(verdict.state.size() == most_state_bytes + 1);
}

TEST_CASE("in a tumbling window, failures may be reported as well") {
  const Verdict verdict =
      state_verdict(R"({"state":{"n":2},"batchItemFailures":[{"itemIdentifier":"103"}]})", both);
  CHECK(verdict.kind == Verdict::Kind::partly);
  CHECK(verdict.done == 2);
  CHECK(verdict.state == R"({"n":2})");
  CHECK(outcome(R"({"batchItemFailures":[]})", both) == "failed");
}

}  // namespace
}  // namespace dinette::lambda::batch_verdict_test
