// Items in rows, of which only those in view are in the document. It is one stop for the Tab key; within, the arrow keys move an
// active cell, as in other grids (https://www.w3.org/WAI/ARIA/apg/patterns/grid/).
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { count } from "../../lib/format.js";
import { density } from "../../lib/state.js";
import { hasMembers, preview, typeOf } from "../../lib/value_types.js";
import { RowHeights, rowsInView, scrollHeight, scrollOf } from "../../lib/virtual_rows.js";
import { CellMenu } from "./cell_menu.jsx";
import { limitedWidth, NeededWidths, widthsOf } from "./column_widths.js";
import { GridRow } from "./grid_row.jsx";
import { useResizing } from "./use_resizing.js";

/** As --grid-row in ui/style.css. */
const rowHeights = { comfortable: 31, compact: 25 };
const headHeight = 33;
const checkWidth = 38;
/** Where a column is less than this part of the view, it may be pinned. */
const mostPinned = 0.5;
const nearEnd = 30;

const isOfNumbers = (items, name) => {
  const values = items.slice(0, nearEnd).map((item) => item[name]).filter(Boolean);
  return values.length > 0 && values.every(({ N }) => N !== undefined);
};

/** Returns the columns with their width, and where those begin that stay in view. */
function placed(columns, needed, items, room, before) {
  const widths = widthsOf(columns.map(({ name, ownWidth }) => ({ own: ownWidth, ...needed.of(name, items) })), room - before);
  let left = before;
  return columns.map((column, at) => {
    const own = left;
    left += widths[at];
    const isPinned = column.pinned && left <= before + (room - before) * mostPinned;
    return { ...column, width: widths[at], left: isPinned ? own : undefined, isNumber: isOfNumbers(items, column.name) };
  });
}

/** Returns the size of an element, and where it is scrolled to. */
function useView(scroller) {
  const [view, setView] = useState({ top: 0, height: 600, width: 1000 });
  const read = () => {
    const { scrollTop: top, clientHeight: height, clientWidth: width } = scroller.current;
    setView((now) => (now.top === top && now.height === height && now.width === width ? now : { top, height, width }));
  };
  useLayoutEffect(() => {
    read();
    const observer = new ResizeObserver(read);
    observer.observe(scroller.current);
    return () => observer.disconnect();
  }, []);
  return [view, read];
}

/** Follows the heights of the rows that are unfolded, in pixels more than others have. */
function useExtras(rows, unfolded, body, rowHeight) {
  const [heights, setHeights] = useState(new Map());  // by item
  useLayoutEffect(() => {
    if (unfolded.size === 0) return undefined;
    const read = () => setHeights((now) => {
      const next = new Map([...now].filter(([item]) => unfolded.has(item)));
      for (const row of body.current.querySelectorAll("tr[data-index]")) {
        const item = rows[row.dataset.index];
        if (unfolded.has(item)) next.set(item, Math.max(0, row.offsetHeight - rowHeight));
      }
      return next.size === now.size && [...next].every(([item, more]) => now.get(item) === more) ? now : next;
    });
    const observer = new ResizeObserver(read);
    for (const row of body.current.querySelectorAll("tr[data-index]")) if (unfolded.has(rows[row.dataset.index])) observer.observe(row);
    read();
    return () => observer.disconnect();
  });
  return useMemo(() => {
    const extras = new Map();
    for (const item of unfolded.keys()) {
      const index = rows.indexOf(item);
      if (index >= 0) extras.set(index, heights.get(item) ?? 0);
    }
    return extras;
  }, [rows, unfolded, heights]);
}

const nextSort = (sort, name) => {
  if (sort?.name !== name) return { name, descending: false };
  return sort.descending ? undefined : { name, descending: true };
};

const sortMark = (sort, name) => (sort?.name === name ? (sort.descending ? " \u2193" : " \u2191") : "");
const ariaSort = (sort, name) => (sort?.name === name ? (sort.descending ? "descending" : "ascending") : undefined);

function Head({ id, columns, sort, isSelectable, areAllSelected, activeColumn, isResizable }) {
  const offset = isSelectable ? 1 : 0;
  const classOf = (column, more) => [more, column === activeColumn && "active"].filter(Boolean).join(" ") || undefined;
  return (
    <thead>
      <tr aria-rowindex={1} data-index={-1}>
        {isSelectable && (
          <th scope="col" id={`${id}-0`} class={classOf(0, "tick pinned")} data-check>
            <input type="checkbox" tabindex={-1} checked={areAllSelected} aria-label="Select all" />
          </th>)}
        {columns.map(({ name, left, isNumber }, at) => (
          <th key={name} scope="col" id={`${id}-${at + offset}`} class={classOf(at + offset, [isNumber && "number", left !== undefined && "pinned"].filter(Boolean).join(" "))}
              data-name={name} aria-sort={ariaSort(sort, name)} title={`${name}\nClick: sort what was read. Right click: more`}
              style={left !== undefined ? { left: `${left}px` } : undefined}>
            {name}{sortMark(sort, name)}
            {isResizable && <span class="resize" data-resize title="Drag: another width. Double click: as wide as its content" aria-hidden="true" />}
          </th>))}
      </tr>
    </thead>
  );
}

/**
 * `columns`: [{name, pinned}], or [{name, cell: item => ...}] for what is no attribute. `keys`: names of attributes that say which item a row is. Optional are: `onOpen(item)`; `onEdit(item, name)`,
 * which returns true if the cell is edited in its place, whereupon onEdited(item, name, typed or undefined) follows; `selected`, a Set of
 * items, with `onSelect(set)`; `sort`, {name, descending}, with `onSort`; `onFilter(path, typed)`; `actionsOf(item, name)` and
 * `columnActions(name, width)`, lists of [text, action]; `onWidth(name, width or undefined)`, when a column gets a width of its own, or none; `onEnd()`, when the user has scrolled to the end; `onKey(event)`, for keys of
 * which the grid makes nothing; `activeCell`, a ref that gets [item, name] of the active cell.
 */
export function Grid({ label, rows, columns, keys = [], selected, onSelect, sort, onSort, onOpen, onEdit, onEdited, onFilter, actionsOf,
                       columnActions, onWidth, onEnd, onKey, activeCell }) {
  const id = useId();
  const scroller = useRef();
  const grid = useRef();
  const body = useRef();
  const anchor = useRef(0);
  const needed = useRef(new NeededWidths());
  const [view, readView] = useView(scroller);
  const [active, setActive] = useState({ row: 0, column: 0 });
  const [edited, setEdited] = useState();  // {item, name}
  const [unfolded, setUnfolded] = useState(new Map());  // names of cells by item
  const [menu, openMenu] = useState();
  const isSelectable = Boolean(onSelect);
  const offset = isSelectable ? 1 : 0;
  const rowHeight = rowHeights[density.value] ?? rowHeights.comfortable;
  const { drawn: drawnWidth, begin: beginResizing } = useResizing((name, width) => onWidth(name, limitedWidth(width)));
  const opener = onOpen && columns.some(({ name }) => name === keys[0]) ? keys[0] : undefined;
  const shown = useMemo(() => {
    const drawnColumns = columns.map((column) => (column.name === drawnWidth?.name ? { ...column, ownWidth: limitedWidth(drawnWidth.width) } : column));
    const all = placed(drawnColumns, needed.current, rows, view.width, isSelectable ? checkWidth : 0);
    return all.map((column) => ({ ...column, isOpener: column.name === opener }));
  }, [columns, drawnWidth, rows.length > 0, view.width, opener]);
  const extras = useExtras(rows, unfolded, body, rowHeight);
  const heights = useMemo(() => new RowHeights(rows.length, rowHeight, extras), [rows, extras, rowHeight]);
  const inView = view.height - headHeight;
  const { first, end, shift } = rowsInView(heights, view.top, inView);
  const drawn = heights.top(end) - heights.top(first);
  const width = shown.reduce((sum, column) => sum + column.width, isSelectable ? checkWidth : 0);
  const last = shown.length - 1 + offset;
  const nameAt = (column) => shown[column - offset]?.name;
  const idOf = (row) => (row < 0 ? `${id}-head` : `${id}-${row}`);
  if (activeCell) activeCell.current = [rows[active.row], nameAt(active.column)];
  const areAllSelected = isSelectable && rows.length > 0 && selected.size === rows.length;

  const reveal = ({ row, column }) => {
    const box = scroller.current;
    if (row >= 0) {
      const [top, bottom] = [heights.top(row), heights.top(row) + rowHeight];
      const at = (value) => scrollOf(heights, inView, value);
      if (at(top) < box.scrollTop) box.scrollTop = at(top);
      else if (at(bottom - inView) > box.scrollTop) box.scrollTop = at(bottom - inView);
    }
    const place = shown[column - offset];
    if (!place || place.left !== undefined) return;
    const before = shown.slice(0, column - offset).reduce((sum, one) => sum + one.width, isSelectable ? checkWidth : 0);
    const pinned = shown.reduce((sum, one) => sum + (one.left !== undefined ? one.width : 0), isSelectable ? checkWidth : 0);
    if (before - pinned < box.scrollLeft) box.scrollLeft = before - pinned;
    else if (before + place.width - box.clientWidth > box.scrollLeft) box.scrollLeft = before + place.width - box.clientWidth;
  };
  const moveTo = (row, column) => {
    const next = { row: Math.max(-1, Math.min(rows.length - 1, row)), column: Math.max(0, Math.min(last, column)) };
    setActive(next);
    reveal(next);
    if (next.row >= rows.length - 1) onEnd?.();
    return next;
  };
  /** Selects a row, or with `range` all from the last one on; deselects them if the row was selected, unless `isIn` says otherwise. */
  const select = (row, range, isIn = !selected?.has(rows[row])) => {
    if (!isSelectable || !rows[row]) return;
    const next = new Set(selected);
    const items = range ? rows.slice(Math.min(anchor.current, row), Math.max(anchor.current, row) + 1) : [rows[row]];
    for (const item of items) isIn ? next.add(item) : next.delete(item);
    if (!range) anchor.current = row;
    onSelect(next);
  };
  const selectAll = () => onSelect?.(areAllSelected ? new Set() : new Set(rows));
  const unfold = (item, name) => {
    const names = new Set(unfolded.get(item));
    if (!names.delete(name)) names.add(name);
    const next = new Map(unfolded);
    if (names.size) next.set(item, names);
    else next.delete(item);
    setUnfolded(next);
  };
  const edit = (item, name) => {
    if (onEdit?.(item, name)) setEdited({ item, name });
  };
  const onEditedCell = useRef();
  onEditedCell.current = (item, name, typed) => {
    setEdited(undefined);
    grid.current.focus({ preventScroll: true });
    onEdited(item, name, typed);
  };
  const onFilterValue = useRef();
  onFilterValue.current = onFilter;
  const callbacks = useMemo(() => ({
    onEdited: (...all) => onEditedCell.current(...all),
    onFilter: onFilter && ((...all) => onFilterValue.current(...all)),
  }), [Boolean(onFilter)]);
  /** Does what Enter means for a cell. */
  const enter = (row, column) => {
    const name = nameAt(column);
    if (row < 0) return name === undefined ? selectAll() : onSort?.(nextSort(sort, name));
    const item = rows[row];
    if (!item) return undefined;
    if (name === undefined) return select(row);
    if (shown[column - offset].cell) return document.getElementById(`${idOf(row)}-${column}`)?.querySelector("a, button")?.click();
    if (item[name] && hasMembers(typeOf(item[name])) && name !== opener) return unfold(item, name);
    return name === opener ? onOpen(item) : edit(item, name);
  };
  const showMenu = (row, column, x, y) => {
    const name = nameAt(column);
    const actions = row < 0 ? columnActions?.(name, shown[column - offset]?.width) : actionsOf?.(rows[row], name);
    if (name !== undefined && actions?.length) openMenu({ x, y, actions, label: row < 0 ? `Column ${name}` : `Value of ${name}` });
  };

  const onKeyDown = (event) => {
    if (event.target !== grid.current) return;
    const { row, column } = active;
    const page = Math.max(1, Math.floor(inView / rowHeight) - 1);
    const command = event.ctrlKey || event.metaKey;
    const to = {
      ArrowDown: [row + 1, column], ArrowUp: [row - 1, column], ArrowLeft: [row, column - 1], ArrowRight: [row, column + 1],
      PageDown: [row + page, column], PageUp: [Math.max(0, row - page), column],
      Home: [command ? 0 : row, 0], End: [command ? rows.length - 1 : row, last],
    }[event.key];
    if (to && !event.altKey) {
      const next = moveTo(...to);
      if (event.shiftKey && next.row !== row && next.row >= 0) {
        if (!selected?.has(rows[row])) anchor.current = row;
        select(next.row, true, true);
      }
    } else if (event.key === "Enter" && !command) enter(row, column);
    else if (event.key === "F2" && row >= 0 && nameAt(column)) edit(rows[row], nameAt(column));
    else if (event.key === " " && isSelectable) row < 0 ? selectAll() : select(row, event.shiftKey);
    else if (event.key === "a" && command && isSelectable) onSelect(new Set(rows));
    else if (event.key === "Escape" && selected?.size) onSelect(new Set());
    else if (event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey)) showMenuOf(active);
    else {
      onKey?.(event);
      return;
    }
    event.preventDefault();
  };

  /** Returns the cell in which something has happened. */
  const placeOf = (target) => {
    const cell = target.closest("td, th");
    const row = cell?.parentElement.dataset.index;
    if (row === undefined) return undefined;
    const column = cell.dataset.check !== undefined ? 0 : shown.findIndex(({ name }) => name === cell.dataset.name) + offset;
    return { row: Number(row), column };
  };
  const onClick = (event) => {
    const place = placeOf(event.target);
    if (!place || event.target.closest(".tree, .cell-input, [data-resize]")) return;
    const { row, column } = place;
    setActive(place);
    grid.current.focus({ preventScroll: true });
    const isCheck = isSelectable && column === 0;
    if (event.target.closest("[data-toggle]")) unfold(rows[row], nameAt(column));
    else if (event.target.closest("[data-open]")) onOpen(rows[row]);
    else if (row < 0) isCheck ? selectAll() : onSort?.(nextSort(sort, nameAt(column)));
    else if (isCheck || event.shiftKey || event.ctrlKey || event.metaKey) select(row, event.shiftKey);
  };
  // Text is not what shift-click selects here.
  const onMouseDown = (event) => event.shiftKey && placeOf(event.target) && event.preventDefault();
  const onPointerDown = (event) => {
    const place = event.target.closest("[data-resize]") && event.button === 0 && placeOf(event.target);
    if (place) beginResizing(event, nameAt(place.column), shown[place.column - offset].width);
  };
  const onDblClick = (event) => {
    const place = placeOf(event.target);
    if (place && event.target.closest("[data-resize]")) onWidth(nameAt(place.column), undefined);
    if (!place || place.row < 0 || event.target.closest(".tree, .cell-input, button, input")) return;
    const name = nameAt(place.column);
    if (name) edit(rows[place.row], name);
  };
  /** Shows the menu of a cell where the cell is, or at a point. */
  const showMenuOf = ({ row, column }, x, y) => {
    const box = document.getElementById(`${idOf(row)}-${column}`)?.getBoundingClientRect();
    if (box) showMenu(row, column, x ?? box.left + 12, y ?? box.bottom);
  };
  const onContextMenu = (event) => {
    const place = placeOf(event.target);
    if (!place || event.target.closest(".cell-input")) return;
    event.preventDefault();
    setActive(place);
    showMenuOf(place, event.clientX, event.clientY);
  };
  const onScroll = () => {
    readView();
    const { scrollTop, scrollHeight: all, clientHeight } = scroller.current;
    if (scrollTop > 0 && scrollTop + clientHeight > all - nearEnd * rowHeight) onEnd?.();
  };
  // The view is as high as the window has room for below what is above it.
  useLayoutEffect(() => {
    const fit = () => {
      if (!scroller.current) return;
      const top = scroller.current.getBoundingClientRect().top + scrollY;
      scroller.current.style.maxHeight = `max(18rem, calc(100vh - ${Math.round(top)}px - 4.5rem))`;
    };
    fit();
    const observer = new ResizeObserver(fit);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (active.row >= rows.length && rows.length) setActive({ ...active, row: rows.length - 1 });
  }, [rows.length]);

  const labelOf = (item) => keys.map((name) => (item[name] ? preview(item[name], 60) : "")).filter(Boolean).join(", ") || "item";
  const activeId = `${idOf(active.row)}-${active.column}`;
  const isActiveDrawn = active.row < 0 || (active.row >= first && active.row < end);
  return (
    <div class="grid scroll" ref={scroller} role="region" aria-label={label} onScroll={onScroll}>
      <table ref={grid} role="grid" aria-label={label} aria-rowcount={rows.length + 1} aria-colcount={shown.length + offset} tabindex={0}
             aria-multiselectable={isSelectable ? "true" : undefined} aria-activedescendant={isActiveDrawn ? activeId : undefined}
             style={{ width: `${width}px` }} onKeyDown={onKeyDown} onClick={onClick} onDblClick={onDblClick} onMouseDown={onMouseDown}
             onPointerDown={onPointerDown}
             onContextMenu={onContextMenu}>
        <colgroup>
          {isSelectable && <col style={{ width: `${checkWidth}px` }} />}
          {shown.map((column) => <col key={column.name} style={{ width: `${column.width}px` }} />)}
        </colgroup>
        <Head id={idOf(-1)} columns={shown} sort={sort} isSelectable={isSelectable} areAllSelected={areAllSelected}
              activeColumn={active.row < 0 ? active.column : undefined} isResizable={Boolean(onWidth)} />
        <tbody ref={body}>
          {shift > 0 && <tr class="space" key="before" aria-hidden="true"><td style={{ height: `${shift}px` }} colSpan={shown.length + offset} /></tr>}
          {rows.slice(first, end).map((item, at) => {
            const index = first + at;
            return (
              <GridRow key={index} item={item} index={index} id={idOf(index)} columns={shown} label={labelOf(item)} isSelectable={isSelectable}
                       isSelected={isSelectable && selected.has(item)} activeColumn={active.row === index ? active.column : undefined}
                       editedName={edited?.item === item ? edited.name : undefined} unfolded={unfolded.get(item)}
                       onEdited={callbacks.onEdited} onFilter={callbacks.onFilter} />);
          })}
          {end < rows.length && (
            <tr class="space" key="after" aria-hidden="true">
              <td style={{ height: `${Math.max(0, scrollHeight(heights) - shift - drawn)}px` }} colSpan={shown.length + offset} />
            </tr>)}
        </tbody>
      </table>
      {menu && <CellMenu {...menu} onClose={() => { openMenu(undefined); grid.current.focus({ preventScroll: true }); }} />}
    </div>
  );
}

/** How many rows there are, for those who cannot see how long the list is. */
export const rowsText = (items, more) => `${count(items)} ${items === 1 ? "item" : "items"}${more ? ", and there may be more" : ", and there are no more"}`;
