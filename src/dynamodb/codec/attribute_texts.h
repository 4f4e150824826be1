#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <boost/container/small_vector.hpp>

#include "dynamodb/codec/item_text.h"
#include "dynamodb/codec/pooled_text.h"
#include "dynamodb/model/attribute_value.h"

namespace dinette::dynamodb::codec {

/// Attributes' wire texts, one after the other in one string.
class AttributeTexts {
 public:
  void add(std::string_view name, const model::AttributeValue& value) {
    append_attribute(*text_, name, value);
    finish();
  }

  /// Returns where callers write the attribute's text before they call finish().
  std::string& open() { return *text_; }
  void finish() { ends_.push_back((*text_).size()); }

  std::size_t size() const { return ends_.size(); }
  /// Returns an attribute's text, valid until one is added.
  std::string_view operator[](std::size_t index) const {
    const std::size_t begin = index == 0 ? 0 : ends_[index - 1];
    return std::string_view(*text_).substr(begin, ends_[index] - begin);
  }

 private:
  PooledText text_;
  boost::container::small_vector<std::size_t, 32> ends_;
};

}  // namespace dinette::dynamodb::codec
