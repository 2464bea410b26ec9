// One of several processes that write one session: waits for a line on stdin, appends so many entries, and prints their ids.
import { once } from "node:events";
import { SessionManager } from "../../dist/session/index.js";

const [file, name, count] = process.argv.slice(2);
const session = SessionManager.open(file);
console.log("ready");
await once(process.stdin, "data");
const ids = [];
for (let i = 0; i < Number(count); i++) {
  ids.push(session.appendMessage({ role: "user", content: `${name} ${i}`, timestamp: i }));
}
const leaf = session.getLeafId();
session.close();
console.log(JSON.stringify({ name, ids, leaf }));
process.exit(0);
