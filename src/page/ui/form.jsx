// Parts of forms. Every control has a visible label.
import { useId } from "preact/hooks";

export function Field({ label, hint, children }) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, "aria-describedby": hint && `${id}-hint` })}
      {hint && <small id={`${id}-hint`}>{hint}</small>}
    </div>
  );
}

export function TextField({ label, hint, value, onInput, ...more }) {
  return (
    <Field label={label} hint={hint}>
      {(own) => <input type="text" autocomplete="off" spellcheck={false} value={value} {...more} {...own}
                       onInput={(event) => onInput(event.currentTarget.value)} />}
    </Field>
  );
}

/** A text field that suggests values, and takes others too. */
export function Suggesting({ id, values, ...more }) {
  return (
    <>
      <TextField list={id} {...more} />
      <datalist id={id}>{values.map((value) => <option key={value} value={value} />)}</datalist>
    </>
  );
}

/** `options`: values, or [value, text] pairs. */
export function Choice({ label, hint, value, options, onChange, ...more }) {
  return (
    <Field label={label} hint={hint}>
      {(own) => (
        <select value={value} {...more} {...own} onChange={(event) => onChange(event.currentTarget.value)}>
          {options.map((option) => {
            const [key, text] = Array.isArray(option) ? option : [option, option];
            return <option key={key} value={key} selected={key === value}>{text}</option>;
          })}
        </select>
      )}
    </Field>
  );
}

export function Check({ label, checked, onChange }) {
  return (
    <label class="check">
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} />
      {label}
    </label>
  );
}

export function TextArea({ label, hint, value, onInput, problem, ...more }) {
  return (
    <Field label={label} hint={problem ?? hint}>
      {(own) => <textarea spellcheck={false} autocapitalize="off" value={value} aria-invalid={problem ? "true" : undefined}
                          {...more} {...own} onInput={(event) => onInput(event.currentTarget.value)} />}
    </Field>
  );
}

/** A form whose submission stays in the page; Ctrl+Enter submits it from everywhere within. */
export function Form({ onSubmit, children, ...more }) {
  const submit = (event) => {
    event.preventDefault();
    onSubmit();
  };
  const onKeyDown = (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
  };
  return <form onSubmit={submit} onKeyDown={onKeyDown} {...more}>{children}</form>;
}
