// What a pull reads of others: credentials as STS, sign-ins, containers, instances and programs hand them
// out, items as a source has them, filters, and files of progress, settings and rules. The first byte of an
// input says which.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "app/credentials/aws_files.h"
#include "app/credentials/credential_answers.h"
#include "app/pull/filter_text.h"
#include "app/pull/masking.h"
#include "app/pull/pull_progress.h"
#include "app/transfer/plain_values.h"

namespace dinette::app {
namespace {

void expect(bool holds) {
  if (!holds) std::abort();
}

/// Keys become parts of headers.
void check_credentials(const FoundCredentials& found) {
  if (!found) return;
  for (const std::string& text : {found->access_key, found->session_token})
    expect(text.find_first_of("\r\n ") == std::string::npos);
  expect(!found->access_key.empty() && !found->secret.empty());
}

bool is_json(const std::string& text) {
  simdjson::dom::parser parser;
  aws::JsonElement json;
  return !parser.parse(text).get(json);
}

const Masking& masking() {
  static const Masking rules({{.path = {"e"}, .kind = MaskKind::email},
                              {.path = {"d", "*"}, .kind = MaskKind::digits},
                              {.path = {"n"}, .kind = MaskKind::name, .after = "#"},
                              {.path = {"x"}, .kind = MaskKind::drop},
                              {.path = {"f"}, .kind = MaskKind::fixed, .value = "7"},
                              {.path = {"*"}, .kind = MaskKind::text}},
                             "key");
  return rules;
}

void check_item(std::string_view text) {
  const auto masked = masking().masked("Table", text);
  if (masked) expect(is_json(*masked));
  simdjson::dom::parser parser;
  aws::JsonElement item;
  if (parser.parse(text.data(), text.size()).get(item) || !item.is_object()) return;
  std::string plain;
  try {
    append_plain_object(plain, item);
    expect(is_json(plain));
    for (const auto& [name, value] : aws::JsonObject(item)) append_cell(plain, value);
  } catch (const simdjson::simdjson_error&) {
  }
}

void check_filter(std::string_view text) {
  const auto filter = read_filter(text);
  if (!filter) return;
  expect(filter->names.empty() || is_json(filter->names));
  expect(filter->values.empty() || is_json(filter->values));
}

void check_progress(std::string_view text) {
  const auto progress = read_progress(text);
  if (!progress) return;
  const auto again = read_progress(text_of(*progress));
  expect(again.ok() && text_of(*again) == text_of(*progress));
}

}  // namespace
}  // namespace dinette::app

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dinette::app;
  if (size == 0) return 0;
  const std::string_view text{reinterpret_cast<const char*>(data) + 1, size - 1};
  switch (data[0] - '0') {
    case 0:
      check_credentials(read_process_output(text));
      break;
    case 1:
      check_credentials(read_metadata(text));
      break;
    case 2:
      check_credentials(read_role_credentials(text));
      break;
    case 3:
      check_credentials(read_assumed_role(text));
      break;
    case 4:
      (void)read_sign_in_token(text);
      (void)read_refusal(text);
      break;
    case 5:
      check_item(text);
      break;
    case 6:
      check_filter(text);
      break;
    case 7:
      check_progress(text);
      break;
    case 8:
      (void)read_mask_file(text);
      break;
    default:
      (void)read_aws_file(text);
  }
  return 0;
}
