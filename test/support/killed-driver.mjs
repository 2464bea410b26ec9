// Sends a prompt to the scripted agent, and kills its own process without warning: `shown` when a text with "half" is
// shown, a number as soon as so many entries were written, or `event` and a number after so many events.
import { fileURLToPath } from "node:url";
import { acpDriver, createAgentSession } from "../../dist/agent/index.js";
import { SessionManager } from "../../dist/session/index.js";

const [file, cwd, agentHome, home, when, prompt] = process.argv.slice(2);
const agentFile = fileURLToPath(new URL("scripted-agent.mjs", import.meta.url));
let left = Number(when.replace("event", ""));

const agent = await createAgentSession({
  session: SessionManager.open(file),
  cwd,
  files: { home },
  permissions: "ask",
  driver: acpDriver({
    name: "pi",
    title: "Scripted",
    command: [process.execPath, agentFile],
    transcripts: "pi",
    asks: "sometimes",
    env: { PATH: process.env.PATH, HOME: agentHome },
  }),
});
agent.subscribe((event) => {
  if (when === "shown" && event.type === "message_update" && event.delta.includes("half")) die();
  if (when.startsWith("event") && --left <= 0) die();
  if (when.startsWith("event")) return;
  const appended = event.type === "entries" ? event.ids.length : event.type === "message_end" ? 1 : 0;
  left -= appended;
  if (appended > 0 && left <= 0) die();
});
await agent.prompt(prompt);
await agent.dispose();
process.exit(7);

function die() {
  process.kill(process.pid, "SIGKILL");
  // The signal may need a moment; nothing more may happen in it.
  for (;;);
}
