#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace dinette::s3 {

/// The namespace of all documents but errors.
inline constexpr std::string_view xml_namespace = "http://s3.amazonaws.com/doc/2006-03-01/";

/// Writes an XML document, element by element.
class XmlWriter {
 public:
  /// Opens the document's own element, in S3's namespace.
  void open_document(std::string_view name);
  void open(std::string_view name);
  void close(std::string_view name);
  void element(std::string_view name, std::string_view text);
  void element(std::string_view name, std::uint64_t number);
  void flag(std::string_view name, bool value) { element(name, value ? "true" : "false"); }
  std::string take() { return std::move(out_); }

 private:
  std::string out_ = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
};

}  // namespace dinette::s3
