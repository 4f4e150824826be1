import { useState } from "preact/hooks";
import { codeOf, languages } from "../../lib/code/code.js";
import { credentials, world } from "../../lib/state.js";
import { Choice } from "../../ui/form.jsx";

export function RequestCode({ operation, input }) {
  const [language, choose] = useState("cli");
  const [copied, setCopied] = useState(false);
  const key = world.value === "default" ? undefined : world.value;
  const text = codeOf(language, operation, input, location.origin, credentials.value.region, key);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <details>
      <summary>As code</summary>
      <div class="row">
        <Choice label="Language" value={language} options={languages} onChange={(chosen) => { choose(chosen); setCopied(false); }} />
        <button type="button" disabled={!text} onClick={copy}>Copy</button>
        <span role="status">{copied && "Copied"}</span>
      </div>
      <pre class="code" role="region" aria-label="Code" tabindex={0}>{text ?? "There is no text for this request in that language."}</pre>
    </details>
  );
}
