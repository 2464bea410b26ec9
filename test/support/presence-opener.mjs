// Opens a session's presence in a process of its own and tells what it sees. Orders come as lines on stdin.
import { createInterface } from "node:readline";
import { announcePresence } from "../../dist/log/index.js";

const [sessionFile, mode] = process.argv.slice(2);
const presence = announcePresence(sessionFile, { program: "opener", mode, now: () => new Date() });
presence.keepAlive(60_000);
console.log(JSON.stringify({ pid: process.pid, file: presence.file, others: presence.others() }));

for await (const order of createInterface({ input: process.stdin })) {
  if (order === "leave") presence.leave();
  if (order === "others") console.log(JSON.stringify(presence.others()));
  if (order === "exit") process.exit(0);
}
