// node store-puller.mjs <url> <home> <session> <file>: syncs a session with a store for every line of its input, and
// prints a line when it is done.
import { createInterface } from "node:readline";
import { openStore, SyncStates, syncSession } from "../../dist/store/index.js";

const [url, home, sessionId, file] = process.argv.slice(2);
const store = await openStore(url, { home });
const states = new SyncStates(home, url);
process.stdout.write("ready\n");
for await (const _ of createInterface({ input: process.stdin })) {
  await syncSession({ store, states, sessionId, file });
  process.stdout.write("done\n");
}
await store.close();
