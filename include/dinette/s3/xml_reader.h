#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dinette::s3 {

struct XmlElement {
  std::string name;  ///< without its namespace's prefix
  std::string text;  ///< all of it, without that of elements in it
  std::vector<XmlElement> children = {};

  /// Returns the first element of that name in this one; null if there is none.
  const XmlElement* find(std::string_view child) const;
  /// Returns its text; empty if there is none.
  std::string_view text_of(std::string_view child) const;
};

/// Returns the root of a document; nothing if it is not well-formed, declares a document type, or is deeper
/// or has more elements than requests of S3.
std::optional<XmlElement> read_xml(std::string_view text);

}  // namespace dinette::s3
