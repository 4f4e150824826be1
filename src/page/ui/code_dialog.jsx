import { useId, useRef, useState } from "preact/hooks";
import { codeOf, hasPages, languages } from "../lib/code/code.js";
import { codeLanguage, credentials, world } from "../lib/state.js";
import { CopyButton } from "./copy_code.jsx";
import { Check } from "./form.jsx";
import { Dialog } from "./parts.jsx";

const nextTab = { ArrowRight: 1, ArrowLeft: -1 };

/** `input`: the body of `operation`. `isPaged`: the view shows more than its first page, or could. */
export function CodeDialog({ operation, input, isPaged = false, onClose }) {
  const [allPages, readAll] = useState(isPaged);
  const id = useId();
  const list = useRef();
  const language = languages.some(([one]) => one === codeLanguage.value) ? codeLanguage.value : languages[0][0];
  const accessKeyId = world.value === "default" ? credentials.value.accessKeyId || "any" : world.value;
  const text = codeOf(language, operation, input, location.origin, credentials.value.region, accessKeyId, allPages);
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
        {hasPages(operation) && <Check label="Read all pages" checked={allPages} onChange={readAll} />}
        <pre role="tabpanel" id={`${id}-text`} aria-labelledby={`${id}-${language}`} tabindex={0}>
          {text ?? "This request has members that cannot be written in this language."}</pre>
      </div>
    </Dialog>
  );
}
