// A list, map or set, unfolded.
import { useState } from "preact/hooks";
import { canFilterBy, isPath } from "../../lib/filter_by_value.js";
import { count } from "../../lib/format.js";
import { isSet, membersOf, hasMembers, typeOf } from "../../lib/value_types.js";
import { Value } from "../../ui/value.jsx";

const mostAtOnce = 100;

const pathTo = (path, name) => (typeof name === "number" ? `${path}[${name}]` : `${path}.${name}`);

function Member({ name, typed, path, onFilter }) {
  const [isOpen, open] = useState(false);
  if (hasMembers(typeOf(typed))) {
    return (
      <details open={isOpen} onToggle={(event) => open(event.currentTarget.open)}>
        <summary><span class="name">{name}</span><Value typed={typed} /></summary>
        {isOpen && <Tree typed={typed} path={path} onFilter={onFilter} />}
      </details>
    );
  }
  return (
    <div class="leaf">
      <span class="name">{name}</span><Value typed={typed} />
      {onFilter && canFilterBy(typed) &&
        <button type="button" class="quiet" aria-label={`Filter by ${path}`} onClick={() => onFilter(path, typed)}>Filter</button>}
    </div>
  );
}

/** The members of a value. `path` names it in a filter; onFilter(path, typed) is called for the value of a member. */
export function Tree({ typed, path, onFilter }) {
  const [shown, show] = useState(mostAtOnce);
  const members = membersOf(typed);
  return (
    <div class="tree">
      {members.slice(0, shown).map(([name, member]) => (
        <Member key={name} name={name} typed={member} path={pathTo(path, name)} onFilter={isSet(typeOf(typed)) || !isPath(String(name)) ? undefined : onFilter} />))}
      {members.length === 0 && <span class="muted">empty</span>}
      {members.length > shown &&
        <button type="button" class="link" onClick={() => show(shown + mostAtOnce)}>{count(members.length - shown)} more</button>}
    </div>
  );
}
