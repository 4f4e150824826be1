#pragma once

#include <cstddef>

namespace dinette::dynamodb::item_files {

/// Follows Ion text, byte by byte, to the end of its first struct. What it takes for one need not be Ion.
class IonValueEnd {
 public:
  /// Returns true if `c` ends the struct.
  bool ends_with(char c);

 private:
  enum class State {
    plain,
    slash,          ///< after what may begin a comment
    line_comment,   ///< //...
    block_comment,  ///< /*...*/
    quotes,         ///< after one or two ', which may begin a symbol or a long string
    symbol,         ///< '...'
    long_string,    ///< '''...'''
    string,         ///< "..."
  };

  bool plain(char c);
  bool brace(char c);
  bool quotes(char c);
  void in_text(char c);

  State state_ = State::plain;
  std::size_t depth_ = 0;  ///< of structs
  bool in_lob_ = false;    ///< between {{ and }}
  bool escaped_ = false;
  char before_ = '\0';      ///< the brace or star just before
  std::size_t quotes_ = 0;  ///< ' just before
};

}  // namespace dinette::dynamodb::item_files
