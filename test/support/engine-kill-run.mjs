// One run of rule I2: a process appends in a burst, is killed at a random moment, and nothing it was promised is gone.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { SessionManager } from "../../dist/session/index.js";

const BURST = fileURLToPath(new URL("./engine-burst.mjs", import.meta.url));

/**
 * Runs a burst on `file` and kills it `afterMs` behind its first acknowledged append; with `largeEvery` every so many
 * messages are 1 to 5 MB, so that the kill can fall into a write. Answers how many appends were acknowledged, and what
 * is wrong with the file, as sentences.
 */
export async function killRun({ file, afterMs, largeEvery }) {
  const child = spawn(process.execPath, [BURST, file, String(largeEvery)], { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.on("data", (chunk) => {
    if (output === "") setTimeout(() => child.kill("SIGKILL"), afterMs);
    output += chunk;
  });
  const [code, signal] = await once(child, "close");
  const faults = signal === "SIGKILL" ? [] : [`the child ended by itself: ${code}`];
  // The last line may be cut, but a line that ends was printed after its append had returned.
  const ids = output.split("\n").slice(0, -1);
  if (ids.length > 0 && !existsSync(file)) faults.push("the file is not there");
  const session = SessionManager.open(file);
  ids.forEach((id, i) => {
    const entry = session.getEntry(id);
    if (entry?.type !== "message") faults.push(`entry ${i} is missing`);
    else if (entry.parentId !== (ids[i - 1] ?? null)) faults.push(`entry ${i} hangs under ${entry.parentId}`);
    else if (entry.message.timestamp !== i) faults.push(`entry ${i} says something else`);
  });
  const torn = session.getProblems().filter(({ code: problem }) => problem === "torn-tail").length;
  for (const { code: problem } of session.getProblems()) if (problem !== "torn-tail") faults.push(`finding ${problem}`);
  // Going on behind a torn line must not cost anything either.
  const added = session.appendMessage({ role: "user", content: "after the crash", timestamp: 0 });
  session.close();
  const again = SessionManager.open(file, undefined, { readOnly: true });
  if (again.getEntry(added)?.type !== "message" || again.getLeafId() !== added)
    faults.push("the next append is missing");
  if (ids.length > 0 && again.getEntry(ids.at(-1))?.type !== "message")
    faults.push("the next append cost the last entry");
  again.close();
  rmSync(file, { force: true });
  return { acknowledged: ids.length, torn, faults };
}
