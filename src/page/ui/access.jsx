// Keys and tokens, for servers that ask for them. They are kept until the tab is closed.
import { useState } from "preact/hooks";
import { adminToken, credentials } from "../lib/state.js";
import { Form, TextField } from "./form.jsx";
import { Dialog } from "./parts.jsx";

export function Access({ onClose }) {
  const [draft, setDraft] = useState({ ...credentials.value, token: adminToken.value });
  const set = (name) => (value) => setDraft({ ...draft, [name]: value });
  const save = () => {
    const { token, ...keys } = draft;
    adminToken.value = token;
    credentials.value = { ...keys, region: keys.region || "us-east-1" };
    onClose();
    location.reload();
  };
  return (
    <Dialog title="Access keys" onClose={onClose}>
      <p>Most servers need none of these. They stay in this tab and end with it.</p>
      <Form onSubmit={save}>
        <TextField label="Access key id" value={draft.accessKeyId} onInput={set("accessKeyId")} />
        <TextField label="Secret access key" type="password" value={draft.secretAccessKey} onInput={set("secretAccessKey")}
                   hint="If the server verifies signatures (--auth verify), requests are signed with it." />
        <TextField label="Session token" type="password" value={draft.sessionToken} onInput={set("sessionToken")} />
        <TextField label="Region" value={draft.region} onInput={set("region")} />
        <TextField label="Administration token" type="password" value={draft.token} onInput={set("token")}
                   hint="If the server was started with --admin-token." />
        <div class="actions end"><button class="primary">Save</button></div>
      </Form>
    </Dialog>
  );
}
