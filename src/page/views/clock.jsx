import { useState } from "preact/hooks";
import { admin } from "../lib/admin.js";
import { useAction, usePoll } from "../lib/hooks.js";
import { Form, TextField } from "../ui/form.jsx";
import { Heading, Problem } from "../ui/parts.jsx";

const steps = [["PT1M", "1 minute"], ["PT1H", "1 hour"], ["P1D", "1 day"], ["PT25H", "25 hours"]];

const rateText = (rate) => (rate === 1 ? "at the pace of real time" : `at ${rate} times the pace of real time`);

export function Clock() {
  const [clock, setClock] = useState();
  const [now, setNow] = useState("");
  const [advance, setAdvance] = useState("PT90S");
  const [rate, setRate] = useState("1");
  const [failure, setFailure] = useState();
  const [run, busy, error] = useAction();
  usePoll(() => admin("GET", "clock").then((read) => {
    setClock(read);
    setFailure(undefined);
  }, setFailure), 1000, !busy);
  const change = (members) => run(async () => setClock(await admin("PUT", "clock", members)));
  const duration = () => (Number.isNaN(Number(advance)) ? advance : Number(advance));
  return (
    <>
      <Heading title="Clock" />
      <Problem error={failure ?? error} />
      {clock && (
        <section class="panel" aria-label="Now">
          <p class="time">{clock.now.replace("T", " ").slice(0, 19)}</p>
          <p class="muted">UTC, {clock.frozen ? "stopped" : rateText(clock.rate)}, in the world {clock.world}</p>
          <div class="actions">
            <button type="button" class="primary" disabled={busy} onClick={() => change({ frozen: !clock.frozen })}>
              {clock.frozen ? "Go" : "Stop"}</button>
            <button type="button" disabled={busy}
                    onClick={() => change({ now: new Date().toISOString(), frozen: false, rate: 1 })}>Real time</button>
          </div>
        </section>
      )}
      <section class="panel" aria-label="Move">
        <h2>Move on</h2>
        <p class="muted">What falls due on the way happens: items expire, tables change their state, streams are trimmed.</p>
        <div class="actions">
          {steps.map(([duration, text]) => (
            <button key={duration} type="button" disabled={busy} onClick={() => change({ advance: duration })}>{text}</button>))}
        </div>
        <Form onSubmit={() => change({ advance: duration() })}>
          <div class="row">
            <TextField label="Duration" hint="Seconds, or ISO 8601: P1DT12H" required value={advance} onInput={setAdvance} />
            <button disabled={busy}>Move</button>
          </div>
        </Form>
      </section>
      <section class="panel" aria-label="Set">
        <h2>Set</h2>
        <Form onSubmit={() => change({ now: now + "Z" })}>
          <div class="row">
            <TextField label="Time in UTC" type="datetime-local" step="1" required value={now} onInput={setNow} />
            <button disabled={busy}>Set the time</button>
          </div>
        </Form>
        <Form onSubmit={() => change({ rate: Number(rate) })}>
          <div class="row">
            <TextField label="Pace" hint="Times as fast as real time." type="number" step="any" min="0" required value={rate} onInput={setRate} />
            <button disabled={busy}>Set the pace</button>
          </div>
        </Form>
      </section>
    </>
  );
}
