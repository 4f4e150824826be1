// Copies a request as source code.
import { useId, useRef, useState } from "preact/hooks";
import { codeOf, languages } from "../lib/code/code.js";
import { codeLanguage, credentials, world } from "../lib/state.js";
import { Icon } from "./icon.jsx";
import { Dialog } from "./parts.jsx";

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

const nextTab = { ArrowRight: 1, ArrowLeft: -1 };

/** `input`: the body of `operation`. */
export function CodeDialog({ operation, input, onClose }) {
  const id = useId();
  const list = useRef();
  const language = languages.some(([one]) => one === codeLanguage.value) ? codeLanguage.value : languages[0][0];
  const accessKeyId = world.value === "default" ? credentials.value.accessKeyId || "any" : world.value;
  const text = codeOf(language, operation, input, location.origin, credentials.value.region, accessKeyId);
  const onKeyDown = (event) => {
    const step = nextTab[event.key];
    if (!step) return;
    const at = (languages.findIndex(([one]) => one === language) + step + languages.length) % languages.length;
    codeLanguage.value = languages[at][0];
    list.current.children[at].focus();
    event.preventDefault();
  };
  return (
    <Dialog title={`${operation} as code`} onClose={onClose} wide>
      <div class="codetext">
        <div class="heading">
          <div role="tablist" aria-label="Language" ref={list} onKeyDown={onKeyDown}>
            {languages.map(([one, name]) => (
              <button key={one} type="button" role="tab" class="quiet" id={`${id}-${one}`} aria-selected={one === language}
                      aria-controls={`${id}-text`} tabindex={one === language ? 0 : -1}
                      onClick={() => { codeLanguage.value = one; }}>{name}</button>))}
          </div>
          {text && <CopyButton text={text} class="primary" />}
        </div>
        <pre role="tabpanel" id={`${id}-text`} aria-labelledby={`${id}-${language}`} tabindex={0}>
          {text ?? "This request has members that cannot be written in this language."}</pre>
      </div>
    </Dialog>
  );
}

/** A button that shows a request as source code. `request`: returns {operation, input}. */
export function CopyCode({ request, label = "Copy as code", ...more }) {
  const [shown, show] = useState();
  return (
    <>
      <button type="button" onClick={() => show(request())} {...more}><Icon name="code" />{label}</button>
      {shown && <CodeDialog {...shown} onClose={() => show(undefined)} />}
    </>
  );
}
