// What is in the place of a view if the server does not let this page administrate it.
import { useState } from "preact/hooks";
import { refusal, unlock } from "../lib/admin.js";
import { useAction } from "../lib/hooks.js";
import { Form, TextField } from "./form.jsx";
import { Empty, Heading } from "./parts.jsx";
import { refreshWorlds } from "./world_picker.jsx";

export function Locked({ title }) {
  const [token, setToken] = useState("");
  const [run, busy] = useAction();
  const submit = () => run(async () => {
    await unlock(token.trim());
    refreshWorlds();
  });
  return (
    <>
      <Heading title={title} />
      <Empty title="The server does not let this page administrate it">
        <p role="alert">{refusal.value.message}</p>
        <Form onSubmit={submit}>
          <div class="row">
            <TextField label="Administration token" type="password" required autofocus value={token} onInput={setToken}
                       hint="The server prints it when it starts, or it is that of --admin-token. It ends with this tab." />
            <button class="primary" disabled={busy}>Unlock</button>
          </div>
        </Form>
      </Empty>
    </>
  );
}
