// What was sent or received, as far as the server keeps it.
import { count } from "../lib/format.js";
import { jsonOf } from "../lib/requests.js";

/** `body`: {text, bytes, cut}. */
export function Message({ title, body }) {
  const { text, bytes, cut } = body;
  const value = jsonOf(body);
  return (
    <section>
      <h3>{title} <small>{count(bytes)} bytes{cut && ", of which this is the beginning"}</small></h3>
      <pre role="region" aria-label={title} tabindex={0}>{value === undefined ? text : JSON.stringify(value, null, 2)}</pre>
    </section>
  );
}
