// A session file that was damaged: what is wrong with it, and a new file with everything that can still be read.
import { appendFileSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { findingLevel, repairSession, SessionManager, verifySession } from "bough/session";

const session = SessionManager.create(process.cwd(), mkdtempSync(join(tmpdir(), "bough-example-")));
for (const content of ["Build a CLI", "Write the parser", "Now the tests"]) {
  session.appendMessage({ role: "user", content, timestamp: Date.now() });
}
const file = session.getSessionFile();
session.close();

// Two accidents: a byte of the second message is lost, and a program dies in the middle of a write.
writeFileSync(file, readFileSync(file, "utf8").replace('"Write the parser"', '"Write the parser'));
appendFileSync(file, '{"type":"message","id":"0123');

const { findings, readable } = await verifySession(file);
console.log(`${readable} entries can be read`);
for (const finding of findings) {
  const { code, line, bytes, cause } = finding;
  console.log(`line ${line} (${bytes} bytes), ${findingLevel(code)}, ${code}: ${cause}`);
}

// The damaged file is only read. What hung under the damaged message now hangs under the one above it.
const repair = await repairSession(file);
console.log(`${repair.proof.found} of ${repair.proof.readable} readable entries are in the new file`);
for (const { line, bytes, reason } of repair.dropped) console.log(`left out: line ${line}, ${bytes} bytes, ${reason}`);

const repaired = SessionManager.open(repair.out);
console.log(repaired.getBranch().map((entry) => entry.message.content));
repaired.close();
console.log((await repairSession(repair.out)).kind, basename(repair.out).endsWith(".repaired.jsonl"));
