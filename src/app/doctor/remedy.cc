#include "app/doctor/remedy.h"

#include "app/shell_word.h"

namespace dinette::app {
namespace {

void add_line(std::string& text, const std::string& line) {
  if (!text.empty()) text += '\n';
  text += line;
}

}  // namespace

std::string text_of(const std::vector<Assignment>& environment) {
  std::string unset;
  std::string set;
  for (const Assignment& one : environment) {
    if (one.value)
      set += " " + one.name + "=" + shell_word(*one.value);
    else
      unset += " " + one.name;
  }
  std::string text;
  if (!unset.empty()) add_line(text, "unset" + unset);
  if (!set.empty()) add_line(text, "export" + set);
  return text;
}

std::string text_of(const Remedy& remedy) {
  std::string text = remedy.command;
  if (const std::string lines = text_of(remedy.environment); !lines.empty()) add_line(text, lines);
  if (remedy.note.empty()) return text;
  return text + (text.empty() ? "" : "   # ") + remedy.note;
}

}  // namespace dinette::app
