// Restores files by a plan, or settles what such a restore left, and is killed at the n-th call that touches the disk.
// Arguments: a file with { store, plan }, n (0 kills never, `committed` at the first call after the journal says so), and
// `settle` to settle. Prints how many calls there were.
import fs, { existsSync, readdirSync, readFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";

const [, , file, at, what = "restore"] = process.argv;
const { store, plan } = JSON.parse(readFileSync(file, "utf8"));
const journal = join(store, "journal");
const isCommitted = () => existsSync(journal) && readdirSync(journal).some((name) => name.endsWith(".commit"));
const isDue = at === "committed" ? isCommitted : () => calls === Number(at);
let calls = 0;
const counted = (holder, name) => {
  const original = holder[name];
  holder[name] = function (...args) {
    calls += 1;
    if (isDue()) process.kill(process.pid, "SIGKILL");
    return original.apply(this, args);
  };
};
for (const name of [
  "chmodSync",
  "closeSync",
  "fchmodSync",
  "fdatasync",
  "fsync",
  "fsyncSync",
  "linkSync",
  "mkdirSync",
  "open",
  "openSync",
  "renameSync",
  "rmdirSync",
  "rmSync",
  "symlinkSync",
  "unlinkSync",
  "writeFileSync",
  "writeSync",
]) {
  counted(fs, name);
}
for (const name of ["open", "rename", "rm"]) counted(fs.promises, name);
const handle = await fs.promises.open(file);
for (const name of ["writeFile", "datasync", "close"]) counted(Object.getPrototypeOf(handle), name);
await handle.close();
syncBuiltinESMExports();
calls = 0;
const { applyFiles, BlobStore, settleRestores } = await import("../../dist/checkpoint/index.js");
if (what === "settle") await settleRestores({ store, root: plan.root });
else await applyFiles(plan, { store: new BlobStore(store) });
console.log(calls);
