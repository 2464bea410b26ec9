// Stores contents, or cleans up, beside others who do the same. Reads one line of JSON per task and answers with one:
//   { store, from, to, step }        stores the contents of these numbers and says the hash of each as soon as it has it
//   { store, collect: true }         cleans up, once
// `killAt`: the process kills itself at that call which touches the disk.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { createInterface } from "node:readline";

let calls = 0;
let killAt = 0;
const says = fs.writeSync;
for (const name of [
  "appendFileSync",
  "closeSync",
  "mkdirSync",
  "openSync",
  "renameSync",
  "rmSync",
  "truncateSync",
  "writeFileSync",
  "writeSync",
]) {
  const original = fs[name];
  fs[name] = (...args) => {
    calls += 1;
    if (calls === killAt && name === "writeSync" && args.length > 2) {
      // In the middle of it.
      original(args[0], args[1], args[2], Math.floor((args[1].length - args[2]) / 2), args[4] ?? null);
    }
    if (calls === killAt) process.kill(process.pid, "SIGKILL");
    return original(...args);
  };
}
syncBuiltinESMExports();
const { BlobStore, collectGarbage } = await import("../../dist/checkpoint/index.js");
const say = (value) => says(1, `${JSON.stringify(value)}\n`);

for await (const line of createInterface({ input: process.stdin })) {
  const task = JSON.parse(line);
  [calls, killAt] = [0, task.killAt ?? 0];
  if (task.collect === true) {
    say({ done: await collectGarbage({ store: task.store, sessions: [], now: new Date() }), calls });
    continue;
  }
  const store = new BlobStore(task.store);
  for (let n = task.from; n < task.to; n += task.step ?? 1) {
    const content = Buffer.from(`content ${n} `.repeat((n % 40) + 1));
    say({ stored: await store.put(content), n });
  }
  say({ done: true, calls });
}
