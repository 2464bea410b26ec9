// Reads a transcript of Claude Code where it is, and imports it.
// Prints its agent and prompts, and that importing it again adds nothing.
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { foreignSessionAt, importSession, openForeign } from "bough/interop";

const dir = mkdtempSync(join(tmpdir(), "bough-example-"));
const sessionId = "11111111-2222-4333-8444-555555555555";
const record = (uuid, parentUuid, content) => ({
  ...{ sessionId, uuid, parentUuid, cwd: dir, type: "user", timestamp: `2026-01-01T00:00:0${uuid}.000Z` },
  message: { role: "user", content },
});
const records = [record("1", null, "Which parser?"), record("2", "1", "Write it"), record("3", "1", "Use a library")];
const path = join(dir, `${sessionId}.jsonl`);
writeFileSync(path, records.map((one) => `${JSON.stringify(one)}\n`).join(""));

const { source, session, close } = await openForeign(path);
const prompts = session.getEntries().filter(({ type }) => type === "message");
console.log(source.agent, "·", prompts.map(({ message }) => message.content).join(" / "));
console.log("branches:", session.getCounts().branches);
close();

const foreign = await foreignSessionAt(path);
for (let time = 1; time <= 2; time++) console.log((await importSession(foreign, { dir: join(dir, "mine") })).kind);
