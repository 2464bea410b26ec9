// Opens each session it is told to, appends to it and closes it; answers with the entries it was promised.
import { SessionManager } from "../../dist/session/index.js";

process.on("message", ({ file, name, count }) => {
  const ids = [];
  let error;
  try {
    const session = SessionManager.open(file);
    for (let i = 0; i < count; i++)
      ids.push(session.appendMessage({ role: "user", content: `${name} ${i}`, timestamp: i }));
    session.close();
  } catch (cause) {
    error = String(cause);
  }
  process.send({ ids, error });
});
process.send("ready");
