#include "dinette/s3/xml_reader.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include <expat.h>

namespace dinette::s3 {
namespace {

constexpr std::size_t deepest = 16;
constexpr std::size_t most_elements = 100'000;  // CompleteMultipartUpload has up to 10,000 parts of 7

struct Reading {
  XML_Parser parser;
  std::vector<XmlElement> open{1};  ///< the first one is for the root
  std::size_t elements = 0;

  void stop() { XML_StopParser(parser, XML_FALSE); }

  void begin(std::string_view name) {
    if (open.size() > deepest || ++elements > most_elements) return stop();
    open.push_back({std::string(name.substr(name.find(':') + 1)), ""});
  }

  void end() {
    XmlElement done = std::move(open.back());
    open.pop_back();
    open.back().children.push_back(std::move(done));
  }
};

Reading& reading(void* data) {
  return *static_cast<Reading*>(data);
}

}  // namespace

const XmlElement* XmlElement::find(std::string_view child) const {
  const auto found = std::ranges::find(children, child, &XmlElement::name);
  return found == children.end() ? nullptr : &*found;
}

std::string_view XmlElement::text_of(std::string_view child) const {
  const XmlElement* const found = find(child);
  return found ? std::string_view(found->text) : std::string_view();
}

std::optional<XmlElement> read_xml(std::string_view text) {
  if (text.size() > std::numeric_limits<int>::max()) return std::nullopt;
  const std::unique_ptr<std::remove_pointer_t<XML_Parser>, void (*)(XML_Parser)> parser(
      XML_ParserCreate(nullptr), &XML_ParserFree);
  if (!parser) throw std::bad_alloc();
  Reading state{parser.get()};
  XML_SetUserData(parser.get(), &state);
  XML_SetElementHandler(
      parser.get(), [](void* data, const char* name, const char**) { reading(data).begin(name); },
      [](void* data, const char*) { reading(data).end(); });
  XML_SetCharacterDataHandler(parser.get(), [](void* data, const char* part, int size) {
    reading(data).open.back().text.append(part, static_cast<std::size_t>(size));
  });
  XML_SetStartDoctypeDeclHandler(
      parser.get(), [](void* data, const char*, const char*, const char*, int) { reading(data).stop(); });
  if (XML_Parse(parser.get(), text.data(), static_cast<int>(text.size()), XML_TRUE) != XML_STATUS_OK)
    return std::nullopt;
  return std::move(state.open.front().children.front());
}

}  // namespace dinette::s3
