// Keeps sessions in a store of your own, here a Map: all lines of a session in, all lines out.
// Prints that the second process finds both branches and the position of the first.
import { SessionManager } from "bough/session";

const store = new Map();
const say = (session, content) => session.appendMessage({ role: "user", content, timestamp: Date.now() });

function firstProcess() {
  const session = SessionManager.fromLines(store.get("chat-1") ?? []);
  const start = say(session, "Build a CLI");
  say(session, "Write the parser by hand");
  session.branch(start);
  say(session, "Use a library for parsing");
  session.close();
  store.set("chat-1", session.toLines());
}

function secondProcess() {
  const session = SessionManager.fromLines(store.get("chat-1"));
  console.log("branches:", session.getCounts().branches);
  console.log("here:", session.getLeafEntry().message.content);
  session.close();
}

firstProcess();
secondProcess();
