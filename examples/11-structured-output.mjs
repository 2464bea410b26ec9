// Asks for an answer in a form, with a JSON Schema; zod works as well.
// Prints the fields of the answer, and whether its text names the file.
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAgentSession } from "bough/agent";
import { SessionManager } from "bough/session";

const cwd = mkdtempSync(join(tmpdir(), "bough-example-"));
writeFileSync(join(cwd, "notes.txt"), "buy milk\n");
const agent = await createAgentSession({ session: SessionManager.create(cwd, join(cwd, "sessions")) });

const output = {
  type: "object",
  properties: { summary: { type: "string" }, open: { type: "boolean" } },
  required: ["summary", "open"],
};
const outcome = await agent.prompt("What is in this folder?", { output, limits: { steps: 10 } });
if (outcome.kind === "done") {
  console.log(Object.keys(outcome.output).join(", "));
  console.log(outcome.output.summary.includes("notes.txt"));
}
await agent.dispose();
