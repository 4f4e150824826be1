// An item as a form: a name, a type and a control for each value.
import { useEffect, useRef, useState } from "preact/hooks";
import { converted, emptyValue, freeName, renamed, without } from "../../lib/typed_form.js";
import { isNumberText } from "../../lib/typed_json.js";
import { isSet, typeNames, typeOf } from "../../lib/value_types.js";

const types = Object.entries(typeNames);
const linesOf = (text) => text.split("\n").length;

function TypeChoice({ label, type, onChange }) {
  return (
    <select class="type" aria-label={`Type of ${label}`} value={type} onChange={(event) => onChange(event.currentTarget.value)}>
      {types.map(([key, name]) => <option key={key} value={key} selected={key === type}>{name}</option>)}
    </select>
  );
}

/** The control of a value that has no members. `isSelected`: it has the focus first, with its text selected. */
function Control({ label, typed, isSelected, onChange }) {
  const place = useRef();
  useEffect(() => {
    if (isSelected) place.current?.select();
  }, []);
  const type = typeOf(typed);
  const content = typed[type];
  const set = (event) => onChange({ [type]: event.currentTarget.value });
  if (type === "BOOL") {
    return (
      <select aria-label={`Value of ${label}`} value={String(content)} onChange={(event) => onChange({ BOOL: event.currentTarget.value === "true" })}>
        {["true", "false"].map((one) => <option key={one} selected={one === String(content)}>{one}</option>)}
      </select>
    );
  }
  if (type === "NULL") return <span class="muted">null</span>;
  if (isSet(type)) {
    return (
      <textarea aria-label={`Elements of ${label}`} title="One element per line" rows={Math.min(8, content.length)} value={content.join("\n")}
                onInput={(event) => onChange({ [type]: event.currentTarget.value.split("\n") })} />
    );
  }
  if (type === "S") {
    return <textarea ref={place} autofocus={isSelected} aria-label={`Value of ${label}`} rows={Math.min(8, Math.max(linesOf(content), Math.ceil(content.length / 70)))} value={content} spellcheck={false} onInput={set} />;
  }
  return (
    <input ref={place} autofocus={isSelected} type="text" autocomplete="off" spellcheck={false} inputmode={type === "N" ? "decimal" : undefined} aria-label={`Value of ${label}`}
           placeholder={type === "B" ? "base64" : undefined} value={content} onInput={set}
           aria-invalid={type === "N" && !isNumberText(content) ? "true" : undefined} />
  );
}

/** A name that becomes another when it is left, so that names on the way there do not matter. */
function Name({ name, isFixed, onRename }) {
  const [isRefused, refuse] = useState(false);
  if (isFixed) return <span class="name key" title="Part of the key">{name}</span>;
  const change = (event) => {
    const isDone = onRename(event.currentTarget.value);
    refuse(!isDone);
    if (!isDone) event.currentTarget.value = name;
  };
  return <input class="name" type="text" autocomplete="off" spellcheck={false} aria-label={`Name of ${name}`} value={name}
                aria-invalid={isRefused ? "true" : undefined} title={isRefused ? "There is one of that name." : undefined} onChange={change} />;
}

function Row({ head, label, typed, isFixedType, isSelected, onChange, onRemove }) {
  const type = typeOf(typed);
  return (
    <div class="typed-row">
      {head}
      {isFixedType ? <span class="type muted">{typeNames[type]}</span> : <TypeChoice label={label} type={type} onChange={(to) => onChange(converted(typed, to))} />}
      <div class="control">
        {type === "M" && <Members label={label} map={typed.M} onChange={(M) => onChange({ M })} />}
        {type === "L" && <Elements label={label} list={typed.L} onChange={(L) => onChange({ L })} />}
        {type !== "M" && type !== "L" && <Control label={label} typed={typed} isSelected={isSelected} onChange={onChange} />}
      </div>
      {onRemove ? <button type="button" class="quiet" aria-label={`Remove ${label}`} onClick={onRemove}>&times;</button> : <span />}
    </div>
  );
}

function Elements({ label, list, onChange }) {
  const set = (at) => (typed) => onChange(list.map((one, index) => (index === at ? typed : one)));
  return (
    <div class="members">
      {list.map((typed, at) => (
        <Row key={at} head={<span class="name muted">{at}</span>} label={`${label}[${at}]`} typed={typed} onChange={set(at)}
             onRemove={() => onChange(list.filter((_, index) => index !== at))} />))}
      <button type="button" class="link" onClick={() => onChange([...list, emptyValue(list.length ? typeOf(list.at(-1)) : "S")])}>Add element to {label}</button>
    </div>
  );
}

function Members({ label, map, keys = [], selected, onChange }) {
  const rename = (from) => (to) => {
    const changed = to && renamed(map, from, to);
    if (changed) onChange(changed);
    return Boolean(changed);
  };
  return (
    <div class="members">
      {Object.entries(map).map(([name, typed]) => {
        const own = label ? `${label}.${name}` : name;
        const isKey = keys.includes(name);
        return (
          <Row key={name} head={<Name name={name} isFixed={isKey} onRename={rename(name)} />} label={own} typed={typed} isFixedType={isKey} isSelected={name === selected}
               onChange={(changed) => onChange({ ...map, [name]: changed })} onRemove={isKey ? undefined : () => onChange(without(map, name))} />);
      })}
      <button type="button" class="link" onClick={() => onChange({ ...map, [freeName(map)]: { S: "" } })}>
        {label ? `Add member to ${label}` : "Add attribute"}</button>
    </div>
  );
}

/** `keys`: the attributes of the table's key, which keep their names and types. `selected`: the one that has the focus first. */
export const TypedForm = ({ item, keys, selected, onChange }) => (
  <div class="typed-form" role="group" aria-label="Attributes"><Members label="" map={item} keys={keys} selected={selected} onChange={onChange} /></div>
);
