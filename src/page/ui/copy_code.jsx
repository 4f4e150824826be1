// Copies a request as source code.
import { useRef, useState } from "preact/hooks";
import { Icon } from "./icon.jsx";
import { laterDialog } from "./later.jsx";

const CodeDialog = laterDialog(() => import("../views/code_views.js").then((views) => views.CodeDialog));

/** A button that copies a text, and says that it did. */
export function CopyButton({ text, label = "Copy", ...more }) {
  const [copied, setCopied] = useState();
  const place = useRef();
  const copy = async () => {
    // Pages that were loaded from other machines without TLS have no clipboard but this.
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = document.createElement("textarea");
      area.value = text;
      place.current.parentElement.append(area);  // within a dialog, if it is in one: the rest of the page is inert
      area.select();
      document.execCommand("copy");
      area.remove();
      place.current.focus();
    }
    setCopied(text);
  };
  return (
    <button type="button" ref={place} onClick={copy} {...more}>
      <Icon name={copied === text ? "check" : "copy"} /><span aria-live="polite">{copied === text ? "Copied" : label}</span>
    </button>
  );
}

/** A button that shows a request as source code. `request`: returns {operation, input, isPaged}, as CodeDialog takes them. */
export function CopyCode({ request, label = "Copy as code", ...more }) {
  const [shown, show] = useState();
  return (
    <>
      <button type="button" onClick={() => show(request())} {...more}><Icon name="code" />{label}</button>
      {shown && <CodeDialog {...shown} onClose={() => show(undefined)} />}
    </>
  );
}
