#include "lambda/functions/batch_verdict.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "dinette/aws/json.h"
#include "dinette/base/per_thread.h"

namespace dinette::lambda {
namespace {

using deliveries::Batch;
using deliveries::Verdict;

constexpr std::string_view failures_name = "batchItemFailures";

Verdict failed_batch(std::string reason) {
  return {.kind = Verdict::Kind::failed, .reason = std::move(reason)};
}

/// Returns the member of an object; nothing if it is absent or null, or if `json` is no object.
std::optional<aws::JsonElement> answer_member(aws::JsonElement json, std::string_view name) {
  aws::JsonObject object;
  if (json.get(object) != simdjson::SUCCESS) return std::nullopt;
  return aws::member_of(object, name);
}

/// Returns the position of the record that an entry names; nothing if it names none of the batch.
std::optional<std::size_t> position_of(aws::JsonElement entry, const Batch& batch) {
  const auto identifier = answer_member(entry, "itemIdentifier");
  std::string_view number;
  if (!identifier || identifier->get(number) != simdjson::SUCCESS) return std::nullopt;
  const auto found = std::ranges::find(batch.records, number, &deliveries::Record::number);
  if (found == batch.records.end()) return std::nullopt;
  return static_cast<std::size_t>(found - batch.records.begin());
}

/// Returns what the reported failures mean. All from the first of them on are delivered again. That no record
/// is done costs a try, but the answer is a valid one.
Verdict report_verdict(aws::JsonElement json, const Batch& batch) {
  const auto report = answer_member(json, failures_name);
  if (!report) return {};
  aws::JsonArray entries;
  if (report->get(entries) != simdjson::SUCCESS)
    return failed_batch("the function answered batchItemFailures that is no list");
  std::optional<std::size_t> first;
  for (const aws::JsonElement entry : entries) {
    const auto position = position_of(entry, batch);
    if (!position)
      return failed_batch("the function answered an itemIdentifier that is no record of the batch");
    first = std::min(first.value_or(*position), *position);
  }
  if (!first) return {};
  Verdict verdict =
      failed_batch("the function reported record " + batch.records[*first].number + " as failed");
  verdict.kind = Verdict::Kind::partly;
  verdict.done = *first;
  return verdict;
}

/// Returns the member "state" of an object as it is written, which the parser for everything else does not
/// know. The text must be JSON.
std::string state_text(std::string_view answer) {
  const simdjson::padded_string padded(answer);
  simdjson::ondemand::parser parser;
  simdjson::ondemand::document document;
  simdjson::ondemand::value state;
  std::string_view text;
  if (parser.iterate(padded).get(document) != simdjson::SUCCESS ||
      document.find_field_unordered("state").get(state) != simdjson::SUCCESS ||
      simdjson::to_json_string(state).get(text) != simdjson::SUCCESS)
    return "";
  return std::string(text);
}

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

}  // namespace

Verdict verdict_of(std::string_view answer, const Batch& batch, const AnswerRule& rule) {
  if (!rule.reports_failures && !rule.keeps_state) return {};
  // A server of one's own may have nothing to say.
  const std::string_view text = is_blank(answer) ? "null" : answer;
  aws::ParserInUse parser(base::per_thread<simdjson::dom::parser, struct AnswerParser>());
  aws::JsonElement json;
  if (parser.parse(text, json) != simdjson::SUCCESS) return failed_batch("the function's answer is not JSON");
  if (rule.keeps_state && !answer_member(json, "state"))
    return failed_batch("the function's answer has no state, which a tumbling window needs");
  Verdict verdict = rule.reports_failures ? report_verdict(json, batch) : Verdict();
  if (!rule.keeps_state || verdict.kind == Verdict::Kind::failed) return verdict;
  verdict.state = state_text(text);
  verdict.too_large = verdict.state.size() > most_state_bytes;
  return verdict;
}

}  // namespace dinette::lambda
