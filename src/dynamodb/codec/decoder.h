#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

#include "dinette/aws/json_decoder.h"
#include "dinette/base/result.h"

#include "dynamodb/api/limits.h"
#include "dynamodb/codec/inputs.h"

namespace dinette::dynamodb::codec {

using aws::Decoded;
using aws::JsonArray;
using aws::JsonElement;
using aws::JsonObject;
using aws::SerializationError;

struct ValueReading;

/// Reads JSON into the types of the API. Generated code calls it member by member. A wrong JSON type is a
/// SerializationError; a value that breaks a rule is kept in the input as its ValueProblem.
/// One object per request, one thread.
class Decoder : public aws::JsonDecoder<Decoder> {
 public:
  enum class Source : bool { request, record };  ///< who wrote the text: a client, or the server itself

  /// Lists of structures that are too long for any operation are read to the end, for wrong types, but not
  /// kept: a few bytes of text would become hundreds.
  template <class Value>
  static constexpr std::size_t kept_elements = std::is_same_v<Value, std::string> ||
                                                       std::is_same_v<Value, AttributeValueInput>
                                                   ? std::numeric_limits<std::size_t>::max()
                                                   : model::limits::list_structures;

  /// What differs by operation.
  struct Rules {
    int expression_value_levels = model::limits::nesting_levels;  ///< that expression values may have
    ProblemOrder order = ProblemOrder::of_text;                   ///< of items
  };

  explicit Decoder(model::Generation generation, Source source = Source::request, bool has_escapes = true)
      : Decoder(generation, source, has_escapes, Rules()) {}
  Decoder(model::Generation generation, Source source, bool has_escapes, const Rules& rules)
      : generation_(generation), source_(source), has_escapes_(has_escapes), rules_(rules) {}

  using JsonDecoder::read;
  Decoded read(JsonElement json, ItemInput& out);
  Decoded read(JsonElement json, NewItemInput& out);
  Decoded read(JsonElement json, ValuesInput& out);
  Decoded read(JsonElement json, AttributeValueInput& out);

  /// Levels of the deepest attribute value read, the attribute itself being level 1.
  int deepest_value() const { return deepest_value_; }

 private:
  [[gnu::cold]] void add_problem(const std::string& placeholder, ValueProblem problem,
                                 ValuesInput& out) const;
  Decoded check_attribute_name(std::string_view name, int depth, ValueReading& reading) const;
  void append_string(std::string& out, std::string_view text) const;
  Decoded read_typed_item(JsonElement json, NewItemInput& out);
  Decoded transcribe(JsonElement json, int depth, ValueReading& reading, std::string& text,
                     std::size_t& item_size);
  base::Result<bool, SerializationError> transcribe_content(model::Type type, JsonElement json, int depth,
                                                            ValueReading& reading, std::string& text,
                                                            std::size_t& item_size);
  Decoded transcribe_map(JsonObject attributes, int depth, ValueReading& reading, std::string& text,
                         std::size_t& item_size);
  Decoded read_attributes(JsonElement json, int depth, ValueReading& reading, model::Map& out);
  Decoded read_value(JsonElement json, int depth, ValueReading& reading, model::AttributeValue& out);
  Decoded read_typed(model::Type type, JsonElement json, int depth, ValueReading& reading,
                     model::AttributeValue& out);
  Decoded read_number(JsonElement json, ValueReading& reading, model::AttributeValue& out);
  Decoded read_set(model::Type type, JsonElement json, ValueReading& reading, model::AttributeValue& out);
  Decoded read_list(JsonElement json, int depth, ValueReading& reading, model::AttributeValue& out);
  Decoded read_null(JsonElement json, ValueReading& reading, model::AttributeValue& out);

  model::Generation generation_;
  Source source_;
  bool has_escapes_;  ///< see aws::RequestBody
  Rules rules_;
  int deepest_value_ = 0;
};

}  // namespace dinette::dynamodb::codec
