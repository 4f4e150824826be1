import { density, letterShortcuts, theme, timeZone } from "../lib/state.js";
import { Check, Choice } from "./form.jsx";
import { Dialog } from "./parts.jsx";

const Kept = ({ of, ...more }) => <Choice value={of.value} onChange={(value) => { of.value = value; }} {...more} />;

/** What the user prefers. It is kept in this browser, for all tabs that are opened later. */
export function Preferences({ onClose }) {
  return (
    <Dialog title="Preferences" onClose={onClose}>
      <div class="row">
        <Kept of={theme} label="Theme" options={[["system", "As the system"], ["light", "Light"], ["dark", "Dark"]]} />
        <Kept of={timeZone} label="Times" options={[["utc", "UTC"], ["local", "Local time of this computer"]]} />
        <Kept of={density} label="Rows of tables" options={[["comfortable", "Comfortable"], ["compact", "Compact"]]} />
      </div>
      <Check label="Keys of one letter" checked={letterShortcuts.value}
             onChange={(on) => { letterShortcuts.value = on; }} />
    </Dialog>
  );
}
