// Another process with the same session open: does one thing to it and goes.
import { SessionManager } from "../../dist/session/index.js";

const [file, act] = process.argv.slice(2);
const session = SessionManager.open(file);
const message = { role: "user", content: "from another process", timestamp: 1 };
const acts = {
  look: () => {},
  rename: () => session.appendSessionInfo("renamed"),
  label: () => session.appendLabelChange("d", "end"),
  note: () => session.appendCustomEntry("note"),
  "rename-elsewhere": () => {
    // As a program would that has its own place in the session and puts nothing there but a name.
    const position = session.getLeafId();
    session.branch("c");
    session.appendSessionInfo("renamed");
    if (position === null) session.resetLeaf();
    else session.branch(position);
  },
  append: () => session.appendMessage(message),
};
acts[act]();
session.close();
