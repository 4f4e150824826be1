// Recent and saved queries of a table, or statements.
import { useEffect, useRef, useState } from "preact/hooks";
import { keptOf, withKept, withoutKept } from "../lib/kept_reads.js";
import { world } from "../lib/state.js";
import { Form, TextField } from "./form.jsx";
import { Icon, IconButton } from "./icon.jsx";

function Kept({ title, list, text, link, onPick, onRemove }) {
  if (list.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul class="kept">
        {list.map((one) => {
          const name = one.name ?? text(one.query);
          return (
            <li key={name + one.query}>
              <a href={link(one.query)} title={text(one.query)} onClick={onPick}>{name}</a>
              <IconButton name="remove" label={`Forget ${name}`} onClick={() => onRemove(one)} />
            </li>
          );
        })}
      </ul>
    </>
  );
}

/**
 * `of`: the signal that keeps them. `table`: undefined for statements. `query`: what would be saved now; `text` and `link` say what a query
 * is, and where it leads.
 */
export function KeptMenu({ label, of, table, query, text, link }) {
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState("");
  const place = useRef();
  const { saved, recent } = keptOf(of.value, world.value, table);
  const close = () => { place.current.open = false; };
  useEffect(close, [query]);
  useEffect(() => {
    if (!isOpen) return undefined;
    const onPointerDown = (event) => {
      if (!place.current.contains(event.target)) close();
    };
    addEventListener("pointerdown", onPointerDown);
    return () => removeEventListener("pointerdown", onPointerDown);
  }, [isOpen]);
  const save = () => {
    of.value = withKept(of.value, { world: world.value, table, query, name: name.trim() });
    setName("");
  };
  const focus = () => place.current.querySelector("summary").focus();
  const onKeyDown = (event) => {
    if (event.key !== "Escape" || !isOpen) return;
    close();
    focus();
  };
  const remove = (one) => {
    of.value = withoutKept(of.value, one);
    focus();  // its button is gone
  };
  return (
    <details class="keptmenu" ref={place} onKeyDown={onKeyDown} onToggle={() => setOpen(place.current.open)}>
      <summary><Icon name="history" />{label}</summary>
      {isOpen && <div>
        <Form onSubmit={save}>
          <div class="row">
            <TextField label="Name of what is shown" required pattern=".*\S.*" value={name} onInput={setName} />
            <button><Icon name="star" />Save</button>
          </div>
        </Form>
        <Kept title="Saved" list={saved} text={text} link={link} onPick={close} onRemove={remove} />
        <Kept title="Recent" list={recent} text={text} link={link} onPick={close} onRemove={remove} />
      </div>}
    </details>
  );
}
