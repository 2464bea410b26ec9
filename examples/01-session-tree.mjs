// A session that tries two ways and keeps both. Run `npm run build` once before.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SessionManager } from "bough/session";

// Without a second argument the session goes to ~/.bough/sessions.
const session = SessionManager.create(process.cwd(), mkdtempSync(join(tmpdir(), "bough-example-")));
const say = (content) => session.appendMessage({ role: "user", content, timestamp: Date.now() });

const start = say("Build a CLI");
say("Write the parser by hand");
session.branch(start); // back to the start; nothing is lost
say("Use a library for parsing");

for (const child of session.getChildren(start)) console.log(child.id, child.message.content);
console.log(session.buildSessionContext().messages.map((message) => message.content));
session.close();
