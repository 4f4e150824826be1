"""Functions that report which marked members an input has."""

from api_sources.names import quoted, snake


def marks_header(specs):
    return [f'#include "{specs.layer}/codec/given_members.h"']


def marks_of(name, members):
    """Returns the functions that report which marked members an input has."""
    marks = []
    if any(mark in member for member in members for mark in ("legacy", "legacy_against", "expression")):
        marks.append(f"codec::FamilyMembers families_of(const {name}& input)")
    if any("planned" in member for member in members):
        marks.append(f"codec::GivenMembers planned_members_of(const {name}& input)")
    return marks


def mark_declarations(name, members):
    marks = marks_of(name, members)
    return [*(f"{mark};" for mark in marks), ""] if marks else []


def given(member):
    return f"input.{snake(member['name'])}"


def note_lines(members, mark, where):
    def condition(member):
        return "" if member.get("required") else f"if ({given(member)}) "
    return [f"  {condition(m)}{where}.push_back({quoted(m['name'])});" for m in members if mark in m]


def mark_lines(name, members):
    lines = []
    for function in marks_of(name, members):
        # An input whose marked members are all required is not looked at.
        lines += [function.replace("(const", "([[maybe_unused]] const") + " {"]
        if "planned" in function:
            lines += ["  codec::GivenMembers given;", *note_lines(members, "planned", "given")]
        else:
            lines += ["  codec::FamilyMembers given;", *note_lines(members, "legacy", "given.legacy")]
            lines += [f"  if ({given(m)} && input.{snake(m['legacy_against'])}) "
                      f"given.legacy.push_back({quoted(m['name'])});" for m in members if "legacy_against" in m]
            lines += note_lines(members, "expression", "given.expressions")
        lines += ["  return given;", "}", ""]
    return lines
