// node store-appender.mjs <url> <name> <count>: appends entries to one session of a store, one push each, and prints the
// ID of each that was acknowledged. An unreachable store is retried; anything else ends the process with an error.
import { setTimeout as wait } from "node:timers/promises";
import { openStore } from "../../dist/store/index.js";

const [url, name, count] = process.argv.slice(2);
const replica = { id: name.repeat(16).slice(0, 16), name };
const store = await persist(() => openStore(url, { replica }));
for (let n = 0; n < Number(count); n++) {
  const id = `${name}${n}`;
  const parentId = n === 0 ? null : `${name}${n - 1}`;
  const line = Buffer.from(JSON.stringify({ type: "custom", id, parentId, timestamp: "t", customType: "test" }));
  await persist(() => store.push("shared", [line]));
  process.stdout.write(`${id}\n`);
}
await store.close();

async function persist(work) {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (error?.code !== "store-unreachable") throw error;
      await wait(20);
    }
  }
}
