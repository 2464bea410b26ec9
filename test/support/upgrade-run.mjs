// Several processes open one file of an old version at the same moment and append: whatever they were promised is in the file.
import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const OPENER = fileURLToPath(new URL("./upgrade-opener.mjs", import.meta.url));
const TIME = "2026-01-15T12:00:00.000Z";

export async function upgradeRuns({ folder, runs, processes }) {
  const children = Array.from({ length: processes }, () => fork(OPENER));
  const faults = [];
  let acknowledged = 0;
  try {
    await Promise.all(children.map((child) => once(child, "message")));
    for (let run = 0; run < runs; run++) {
      const file = join(folder, `${run}.jsonl`);
      const old = oldSession(run);
      writeFileSync(file, old);
      const answers = await Promise.all(
        children.map(async (child, index) => {
          const answered = once(child, "message");
          child.send({ file, name: `p${index}`, count: 1 + ((run + index) % 3) });
          const [answer] = await answered;
          return answer;
        }),
      );
      const text = readFileSync(file, "utf8");
      const ids = new Set(text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line).id])));
      for (const { ids: promised, error } of answers) {
        acknowledged += promised.length;
        if (error !== undefined) faults.push(`run ${run}: ${error}`);
        for (const id of promised) if (!ids.has(id)) faults.push(`run ${run}: ${id} is missing`);
      }
      if (JSON.parse(text.split("\n")[0]).version !== 3) faults.push(`run ${run}: the file was not upgraded`);
      const beside = readdirSync(folder).filter((name) => name.startsWith(`${run}.`) || !/^\d/.test(name));
      const backup = `${file}.v2.bak`;
      if (beside.length !== 2 || !existsSync(backup)) faults.push(`run ${run}: there is ${beside.join(", ")}`);
      else if (readFileSync(backup, "utf8") !== old) faults.push(`run ${run}: the original was not kept`);
      for (const name of [file, backup]) rmSync(name, { force: true });
    }
  } finally {
    for (const child of children) child.kill();
  }
  return { runs, acknowledged, faults };
}

function oldSession(run) {
  const message = (id, parentId) => ({
    type: "message",
    id,
    parentId,
    timestamp: TIME,
    message: { role: "hookMessage", customType: "x", content: `said ${id}`, display: true, timestamp: 1 },
  });
  const entries = Array.from({ length: 1 + (run % 40) * 5 }, (_, i) => message(`e${i}`, i === 0 ? null : `e${i - 1}`));
  const header = { type: "session", version: 2, id: `session-${run}`, timestamp: TIME, cwd: "/w" };
  return [header, ...entries].map((record) => `${JSON.stringify(record)}\n`).join("");
}
