// What all views are made of.
import { useEffect, useId, useRef } from "preact/hooks";
import { useAction } from "../lib/hooks.js";

export function Heading({ title, children }) {
  useEffect(() => {
    document.title = `${title} - Dinette`;
  }, [title]);
  return (
    <header class="heading">
      <h1 tabindex={-1}>{title}</h1>
      <div class="actions">{children}</div>
    </header>
  );
}

const ofKeys = new Set(["InvalidSignatureException", "MissingAuthenticationTokenException", "UnrecognizedClientException"]);

/** Returns true if the server refuses pages of this address. */
const isOfOrigin = ({ name, message }) => name === "AccessDeniedException" && message.includes("--cors");

export function Problem({ error }) {
  if (!error) return null;
  const wantsKeys = ofKeys.has(error.name) || error.status === 401;
  return (
    <div class="problem" role="alert">
      <strong>{error.name}</strong> {error.message}
      {isOfOrigin(error) && <p>Start the server with <code>--cors local,{location.hostname}</code>.</p>}
      {wantsKeys && <p>Enter what this server asks for at "Access keys", at the top.</p>}
    </div>
  );
}

/** Teaches what could be here. */
export function Empty({ title, children }) {
  return (
    <section class="empty">
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** A text in one line, cut where it is too long; the whole of it is in the tooltip. */
export const Short = ({ text, mono }) => text && <span class={mono ? "value mono" : "value"} title={text}>{text}</span>;

/**
 * A table that scrolls sideways when it is wide. `columns`: [{name, cell: row => ..., numeric}]. `none` is shown in the place of
 * rows.
 */
export function DataTable({ label, columns, rows, rowKey, rowClass, none = "None" }) {
  return (
    <div class="scroll" role="region" aria-label={label} tabindex={0}>
      <table>
        <thead>
          <tr>{columns.map(({ name, numeric }) => (
            <th key={name} scope="col" class={numeric && "numeric"}>{name}</th>))}</tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={rowKey ? rowKey(row) : index} class={rowClass?.(row)}>
              {columns.map(({ name, cell, numeric }) => <td key={name} class={numeric && "numeric"}>{cell(row)}</td>)}
            </tr>
          ))}
          {rows.length === 0 && <tr><td class="none" colSpan={columns.length}>{none}</td></tr>}
        </tbody>
      </table>
    </div>
  );
}

/** Terms and their descriptions; those without a description are left out. */
export function Facts({ facts }) {
  return (
    <dl class="facts">
      {facts.filter(([, value]) => value !== undefined && value !== null && value !== "").map(([name, value]) => (
        <div key={name}><dt>{name}</dt><dd>{value}</dd></div>
      ))}
    </dl>
  );
}

export function Json({ label, value }) {
  return <pre role="region" aria-label={label} tabindex={0}>{JSON.stringify(value, null, 2)}</pre>;
}

/** A modal dialog, there as long as it is rendered. The browser keeps the focus within, and Escape closes it. */
export function Dialog({ title, onClose, children, wide }) {
  const dialog = useRef();
  const id = useId();
  useEffect(() => {
    const opener = document.activeElement;
    const shown = dialog.current;
    shown.showModal();
    return () => {
      shown.close();  // as long as it is open, nothing else can have the focus
      opener?.focus?.();
    };
  }, []);
  return (
    <dialog ref={dialog} class={wide && "wide"} aria-labelledby={id}
            onCancel={(event) => { event.preventDefault(); onClose(); }}>
      <header class="heading">
        <h2 id={id}>{title}</h2>
        <button type="button" class="quiet" aria-label="Close" onClick={onClose}>&times;</button>
      </header>
      {children}
    </dialog>
  );
}

/** Asks before something is lost; `stay`: the button that leaves all as it is. If `onConfirm` fails, the dialog shows why and stays. */
export function Confirm({ title, text, action, stay = "Cancel", onConfirm, onClose }) {
  const [run, busy, error] = useAction();
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      <Problem error={error} />
      <div class="actions end">
        <button type="button" autofocus onClick={onClose}>{stay}</button>
        <button type="button" class="danger" disabled={busy} onClick={() => run(onConfirm)}>{action}</button>
      </div>
    </Dialog>
  );
}

/** Links between parts of a view. `parts`: [[href, text, current]]. */
export function Parts({ label, parts }) {
  return (
    <nav class="parts" aria-label={label}>
      {parts.map(([href, text, current]) => (
        <a key={text} href={href} aria-current={current ? "page" : undefined}>{text}</a>))}
    </nav>
  );
}
