// Appends to a session on a disk that runs full. Orders come as lines on stdin; each is answered by one line of JSON.
import { createInterface } from "node:readline";
import { SessionManager } from "../../dist/session/index.js";

// A file that must not grow sends a signal before it sends an error.
process.on("SIGXFSZ", () => {});

const [dir] = process.argv.slice(2);
const session = SessionManager.create("/w", dir);
const file = session.getSessionFile();

function append(text) {
  try {
    const id = session.appendMessage({ role: "user", content: text, timestamp: 1 });
    return { id, waiting: session.getWaitingCount() };
  } catch (error) {
    const { name, code, data } = error;
    return { error: { name, code, data }, waiting: session.getWaitingCount() };
  }
}

const acts = {
  append,
  read: (id) => session.getEntry(id) ?? null,
  ids: () => session.getEntries().map(({ id }) => id),
  close: () => {
    session.close();
    return null;
  },
};

console.log(JSON.stringify({ pid: process.pid, file }));
for await (const order of createInterface({ input: process.stdin })) {
  const [act, argument] = JSON.parse(order);
  console.log(JSON.stringify(acts[act](argument)));
}
