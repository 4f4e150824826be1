#include "dynamodb/codec/record.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include <boost/container/small_vector.hpp>

#include "dinette/aws/json.h"
#include "dinette/base/base64.h"
#include "dinette/base/per_thread.h"

#include "dynamodb/codec/attribute_cursor.h"
#include "dynamodb/codec/attribute_texts.h"
#include "dynamodb/codec/decoder.h"
#include "dynamodb/codec/pooled_text.h"

namespace dinette::dynamodb::codec {
namespace {

using Texts = boost::container::small_vector<std::string_view, 32>;

/// Returns the work of parsing a text: by its length, and by its elements, which are at most one more than
/// its commas.
std::size_t parsing_work(std::string_view text) {
  constexpr std::size_t bytes_per_unit = 3;
  constexpr std::size_t units_per_element = 8;
  const auto commas = static_cast<std::size_t>(std::count(text.begin(), text.end(), ','));
  return text.size() / bytes_per_unit + (commas + 1) * units_per_element;
}

/// Reads an item's canonical text. The parser is the thread's own, since the request's is still in use.
kv::Result<model::Item> read_item(std::string_view text) {
  aws::ParserInUse in_use(base::per_thread<simdjson::dom::parser, struct RecordParser>());
  JsonElement json;
  const simdjson::error_code failure = in_use.parse(text, json);
  ItemInput input;
  Decoder decoder(model::Generation::current, Decoder::Source::record);
  if (failure != simdjson::SUCCESS || !decoder.read(json, input)) return base::Failure{corrupt_record()};
  return std::move(input.attributes);
}

/// Reads the content of a type that is a JSON string. Returns false if it needs a parser.
bool read_quoted(char type, std::string_view content, model::AttributeValue& out) {
  const auto has = [content](char c) { return content.find(c) != std::string_view::npos; };
  switch (type) {
    case 'S':
      if (has('\\') || has('"')) return false;
      out.emplace<std::string>(content);
      return true;
    case 'N': {
      const auto number = model::Number::parse(content);
      if (number) out.emplace<model::Number>(*number);
      return number.ok();
    }
    case 'B': {
      auto bytes = base::base64_decode(content);
      if (bytes) out.emplace<model::Binary>(model::Binary{*std::move(bytes)});
      return bytes.has_value();
    }
    default:
      return false;
  }
}

/// Reads short and plain values without a parser, which most values are. Returns false for others.
bool read_plain(std::string_view value, model::AttributeValue& out) {
  constexpr std::string_view front = R"({"S":")";
  constexpr std::string_view back = R"("})";
  const bool quoted = value.size() >= front.size() + back.size() && value.starts_with(front.substr(0, 2)) &&
                      value.substr(3, 3) == front.substr(3) && value.ends_with(back);
  if (quoted)
    return read_quoted(value[2], value.substr(front.size(), value.size() - front.size() - back.size()), out);
  const bool yes = value == R"({"BOOL":true})";
  const bool boolean = yes || value == R"({"BOOL":false})";
  if (boolean) out.emplace<bool>(yes);
  return boolean;
}

/// Attributes on their way from a record to typed values.
class AttributesRead {
 public:
  explicit AttributesRead(std::size_t most) { attributes_.reserve(most); }

  void add(const AttributeCursor& attribute) {
    model::Attribute& read = attributes_.emplace_back();
    if (!read_plain(attribute.value(), read.value)) {
      attributes_.pop_back();
      return parse_later(attribute.text());
    }
    read.name = attribute.name();
  }

  kv::Result<model::Item> item(model::Work& work) && {
    if (to_parse_) {
      **to_parse_ += '}';
      work.add(parsing_work(**to_parse_));
      DINETTE_TRY(model::Item parsed, read_item(**to_parse_));
      if (attributes_.empty()) return parsed;
      for (model::Attribute& attribute : std::move(parsed).take())
        attributes_.push_back(std::move(attribute));
    }
    return model::Item::from_unsorted(std::move(attributes_));
  }

 private:
  void parse_later(std::string_view text) {
    const bool first = !to_parse_;
    if (first) to_parse_.emplace();
    **to_parse_ += first ? '{' : ',';
    **to_parse_ += text;
  }

  std::vector<model::Attribute> attributes_;
  std::optional<PooledText> to_parse_;
};

/// Calls `found` with the cursor at each attribute that is named; returns how many attributes it passed.
/// Names are in ascending order in records, too: one walk along the record finds what both have, however many
/// names there are.
template <class Name, class Found>
kv::Result<std::size_t> for_each_named(std::string_view record, std::span<const Name> names, Found found) {
  AttributeCursor attribute(record);
  auto name = names.begin();
  while (name != names.end() && attribute.next_from(*name)) {
    if (*name != attribute.name())
      name = std::lower_bound(name + 1, names.end(), attribute.name(), std::less<std::string_view>());
    if (name == names.end() || *name != attribute.name()) continue;
    found(attribute);
    ++name;
  }
  if (attribute.corrupt()) return base::Failure{corrupt_record()};
  return attribute.passed();
}

template <class Name>
kv::Result<model::Item> read_some(std::string_view record, std::span<const Name> names, model::Work& work) {
  constexpr std::size_t units_per_attribute = 2;
  constexpr std::size_t usual = 32;  // beyond that a record may have far less than is asked for
  AttributesRead found(std::min(names.size(), usual));
  DINETTE_TRY(const std::size_t passed,
              for_each_named(record, names, [&](const AttributeCursor& attribute) { found.add(attribute); }));
  work.add(passed * units_per_attribute);
  return std::move(found).item(work);
}

}  // namespace

kv::Value make_record(const model::Item& item, std::size_t size_in_bytes) {
  AttributeTexts texts;
  for (const model::Attribute& attribute : item) texts.add(attribute.name, attribute.value);
  Texts attributes;
  for (std::size_t i = 0; i < texts.size(); ++i) attributes.push_back(texts[i]);
  return join_record(size_in_bytes, attributes);
}

AttributeTextViews attribute_texts(std::string_view record, std::span<const std::string_view> names) {
  AttributeTextViews texts;
  const auto add = [&](const AttributeCursor& attribute) { texts.push_back(attribute.text()); };
  static_cast<void>(for_each_named(record, names, add));  // has gone well before
  return texts;
}

kv::Result<kv::Value> replace_attributes(std::string_view record, std::span<const std::string_view> names,
                                         const model::Item& item, std::size_t size_in_bytes) {
  AttributeTexts new_texts;
  boost::container::small_vector<std::string_view, 8> new_names;
  for (const std::string_view name : names) {
    const model::AttributeValue* const value = item.find(name);
    if (!value) continue;
    new_texts.add(name, *value);
    new_names.push_back(name);
  }
  Texts texts;
  std::size_t added = 0;
  auto replaced = names.begin();
  AttributeCursor attribute(record);
  while (attribute.next()) {
    const std::string_view name = attribute.name();
    int order = 1;
    while (replaced != names.end() && (order = replaced->compare(name)) < 0) ++replaced;
    while (added < new_names.size() && new_names[added] < name) texts.push_back(new_texts[added++]);
    if (replaced == names.end() || order != 0) texts.push_back(attribute.text());
  }
  if (attribute.corrupt()) return base::Failure{corrupt_record()};
  while (added < new_names.size()) texts.push_back(new_texts[added++]);
  return join_record(size_in_bytes, texts);
}

kv::Result<model::Item> read_attributes(std::string_view record, std::span<const std::string_view> names,
                                        model::Work& work) {
  return read_some(record, names, work);
}

kv::Result<model::Item> read_attributes(std::string_view record, std::span<const std::string> names,
                                        model::Work& work) {
  return read_some(record, names, work);
}

}  // namespace dinette::dynamodb::codec
