// Another process with the same session open. Orders come as lines on stdin; each is answered by one line when it is done.
import { createInterface } from "node:readline";
import { SessionManager } from "../../dist/session/index.js";

const session = SessionManager.open(process.argv[2]);
const acts = {
  append: (text) => session.appendMessage({ role: "user", content: text, timestamp: 1 }),
  rename: (text) => session.appendSessionInfo(text),
  close: () => session.close(),
};
console.log(JSON.stringify(session.getLeafId()));
for await (const order of createInterface({ input: process.stdin })) {
  const [act, text] = JSON.parse(order);
  console.log(JSON.stringify(acts[act](text) ?? null));
}
