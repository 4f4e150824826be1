#include "s3/xml_writer.h"

#include "dinette/base/utf8.h"

namespace dinette::s3 {
namespace {

/// `text` is UTF-8. XML 1.0 has no way to write the other control characters; S3 nevertheless writes them as
/// references.
void append_escaped(std::string& out, std::string_view text) {
  for (const char c : text) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '"') {
      out += "&quot;";
    } else if (static_cast<unsigned char>(c) < ' ') {
      out.append("&#").append(std::to_string(static_cast<int>(c))).append(";");
    } else {
      out.push_back(c);
    }
  }
}

}  // namespace

void XmlWriter::open_document(std::string_view name) {
  out_.append("<").append(name).append(" xmlns=\"").append(xml_namespace).append("\">");
}

void XmlWriter::open(std::string_view name) {
  out_.append("<").append(name).append(">");
}

void XmlWriter::close(std::string_view name) {
  out_.append("</").append(name).append(">");
}

void XmlWriter::element(std::string_view name, std::string_view text) {
  open(name);
  append_escaped(out_, base::valid_utf8(text));
  close(name);
}

void XmlWriter::element(std::string_view name, std::uint64_t number) {
  element(name, std::to_string(number));
}

}  // namespace dinette::s3
