// One row of a grid. It is drawn again only if one of its properties has changed: scrolling draws many.
import { Component } from "preact";
import { hasMembers, typeOf } from "../../lib/value_types.js";
import { Value } from "../../ui/value.jsx";
import { CellInput } from "./cell_input.jsx";
import { Tree } from "./tree.jsx";

function Cell({ item, name, cell, id, isOpener, isUnfolded, isEdited, left, isActive, onEdited, onFilter }) {
  const typed = item[name];
  const type = typed && typeOf(typed);
  const value = <Value typed={typed} />;
  let content = value;
  if (cell) content = cell(item);
  else if (isEdited) content = <CellInput label={`Value of ${name}`} typed={typed} onDone={(changed) => onEdited(item, name, changed)} />;
  else if (isOpener) content = <button type="button" class="link" tabindex={-1} data-open>{value}</button>;
  else if (type && hasMembers(type)) {
    content = (
      <>
        <div class="folded">
          <button type="button" class="quiet toggle" tabindex={-1} data-toggle aria-expanded={isUnfolded}
                  aria-label={`${isUnfolded ? "Fold" : "Unfold"} ${name}`}>{isUnfolded ? "\u25be" : "\u25b8"}</button>
          {value}
        </div>
        {isUnfolded && <Tree typed={typed} path={name} onFilter={onFilter} />}
      </>
    );
  }
  const classes = [type === "N" && "number", left !== undefined && "pinned", isActive && "active"].filter(Boolean).join(" ");
  return (
    <td id={id} class={classes || undefined} data-name={name} style={left !== undefined ? { left: `${left}px` } : undefined}>{content}</td>
  );
}

export class GridRow extends Component {
  shouldComponentUpdate(next) {
    for (const name in next) if (next[name] !== this.props[name]) return true;
    return false;
  }

  render({ item, index, id, columns, label, isSelectable, isSelected, activeColumn, editedName, unfolded, onEdited, onFilter }) {
    return (
      <tr aria-rowindex={index + 2} aria-selected={isSelectable ? isSelected : undefined} class={isSelected ? "selected" : undefined} data-index={index}>
        {isSelectable && (
          <td class={activeColumn === 0 ? "tick pinned active" : "tick pinned"} id={`${id}-0`} data-check>
            <input type="checkbox" tabindex={-1} checked={isSelected} aria-label={`Select ${label}`} />
          </td>)}
        {columns.map(({ name, cell, isOpener, left }, at) => {
          const column = at + (isSelectable ? 1 : 0);
          return (
            <Cell key={name} id={`${id}-${column}`} item={item} name={name} cell={cell} isOpener={isOpener} left={left} isActive={column === activeColumn}
                  isUnfolded={Boolean(unfolded?.has(name))} isEdited={name === editedName} onEdited={onEdited} onFilter={onFilter} />);
        })}
      </tr>
    );
  }
}
