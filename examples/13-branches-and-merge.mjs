// Two agents on two branches of one file at once; then the work of the second is merged into the first.
// Prints how many branches there are, and what came with the merge.
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAgentSession } from "bough/agent";
import { SessionManager } from "bough/session";

const cwd = mkdtempSync(join(tmpdir(), "bough-example-"));
for (const name of ["one.txt", "two.txt"]) writeFileSync(join(cwd, name), `${name} says hello\n`);
const session = SessionManager.create(cwd, join(cwd, "sessions"));
const agent = await createAgentSession({ session });
await agent.prompt("What is in this folder?");

const other = await agent.spawnBranch(session.getLeafId());
await Promise.all([agent.prompt("read one.txt"), other.prompt("read two.txt")]);

session.refresh(); // takes in what the other one wrote
console.log("branches:", session.getCounts().branches);
const { kind } = await agent.merge(other.session.getLeafId());
const context = JSON.stringify(session.buildSessionContext().messages);
console.log(kind, "· one.txt:", context.includes("one.txt says"), "· two.txt:", context.includes("two.txt"));
await other.dispose();
await agent.dispose();
