// Takes up a session as the user nobody, in a folder with files of another user that its records name. Arguments: the folder,
// a home. The program is loaded before, because the checkout may be in a folder that only its owner may enter.
import { openSessionFiles } from "../../dist/checkpoint/index.js";
import { SessionManager } from "../../dist/session/index.js";

const [, , root, home] = process.argv;
process.setgroups([]);
process.setgid(65534);
process.setuid(65534);
process.env.BOUGH_HOME = home;
process.chdir(root);

const session = SessionManager.create(root, `${home}/sessions`);
const first = session.appendMessage({ role: "user", content: "first", timestamp: 1 });
session.appendMessage({ role: "user", content: "second", timestamp: 1 });
const files = await openSessionFiles({ session, cwd: root, home });
const state = async (text) => ({ hash: await files.store.put(Buffer.from(text)), mode: "644", size: text.length });
const [before, after] = [await state("old"), await state("new")];
const paths = ["secret.txt", "closed/inner.txt", "a.txt"];
const changes = paths.map((path) => ({ path, before, after }));
session.appendCustomEntry("bough.files", { v: 1, by: "tool", tool: "bash", changes });
session.appendMessage({ role: "user", content: "third", timestamp: 1 });
const recorded = await files.recordOutside();
const plan = await files.plan(first);
const outcome = await files.restoreHere(plan, { conflicts: "take" });
const said = {
  changes: recorded?.changes.map(({ path }) => path) ?? [],
  skipped: recorded?.skipped.map(({ path, why }) => `${path}: ${why}`) ?? [],
  conflicts: plan.conflicts.map(({ path, why }) => `${path}: ${why}`),
  written: outcome.written,
};
session.close();
console.log(JSON.stringify(said));
