/** Says why a session starts and ends. */
import { appendFileSync } from "node:fs";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
  pi.on("session_start", (event, ctx) => {
    ctx.ui.notify(`started: ${event.reason}`, "info");
  });
  pi.on("session_shutdown", (event, ctx) => {
    appendFileSync(`${ctx.cwd}/ended.txt`, `${event.reason}\n`);
  });
}
