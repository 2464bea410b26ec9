// Appends messages as fast as it can until it is killed, and says each id as soon as its append has returned.
import { writeSync } from "node:fs";
import { SessionManager } from "../../dist/session/index.js";

const [file, largeEvery] = process.argv.slice(2);
const every = Number(largeEvery);
const session = SessionManager.open(file);
const large = "0123456789abcdef".repeat(1 << 16);
for (let i = 0; ; i++) {
  const isLarge = every > 0 && i % every === every - 1;
  const content = isLarge ? large.repeat(1 + (i % 5)) : `prompt ${i}`;
  const id = session.appendMessage({ role: "user", content, timestamp: i });
  writeSync(1, `${id}\n`);
}
