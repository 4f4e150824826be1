// What makes the chosen world behave unlike the service, on every view: faults, a clock that is stopped or runs at another pace,
// recording. One small request every few seconds, as long as the page is visible.
import { useSignalEffect } from "@preact/signals";
import { useState } from "preact/hooks";
import { admin, changes, refusal } from "../lib/admin.js";
import { count, moment } from "../lib/format.js";
import { usePoll } from "../lib/hooks.js";
import { href } from "../lib/route.js";
import { world } from "../lib/state.js";
import { Icon } from "./icon.jsx";

const pause = 5000;  // milliseconds

const faultText = ({ rules, fired }) =>
  `${rules === 1 ? "1 fault is" : `${count(rules)} faults are`} active${fired ? `, and hit ${count(fired)} times` : ""}.`;

function clockText({ now, frozen, rate }) {
  const [date, time, zone] = moment(Date.parse(now)).split(" ");
  if (frozen) return `Time is stopped at ${time} ${zone} on ${date}.`;
  return rate === 1 ? undefined : `Time runs ${count(rate)} times as fast as real time.`;
}

/** Returns [[icon, text, view, action], ...]. */
function notesOf({ clock, faults, recordingReport }) {
  return [
    faults.rules > 0 && ["faults", faultText(faults), "faults", "Change the rules"],
    clockText(clock) && ["clock", clockText(clock), "clock", "Set the time"],
    recordingReport && ["record", "Requests are recorded.", "report", "Show costs"],
  ].filter(Boolean);
}

export function Status() {
  const [status, setStatus] = useState();
  const look = async () => {
    const of = world.peek();
    const read = await admin("GET", "status").catch(() => undefined);  // the views of administration say why
    if (world.peek() === of) setStatus(read);
  };
  usePoll(look, pause, !refusal.value);
  useSignalEffect(() => {
    void world.value;
    if (changes.value > 0) look();
  });
  const notes = status && status.world === world.value ? notesOf(status) : [];
  return (
    <div role="status" class="notes">
      {notes.map(([icon, text, view, action]) => (
        <p key={icon}><Icon name={icon} /><span>{text}</span> <a href={href(view)}>{action}</a></p>))}
    </div>
  );
}
