// Another process in a folder. Arguments: what, a file, and perhaps `nobody`, to do it as that user. The program is loaded before
// that, because the checkout may be in a folder that only its owner may enter.
// `restore`: a file with { store, plan }; restores, and prints how it ended as { code, message }.
// `full`: a file with a list of the same, one after the other; during each the disk is full from the n-th call that needs
// space on (`failAt`). Prints the list of how they ended.
// `write`: appends a line to the file again and again, and prints a line when it has begun.
import fs, { readFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const [, , what, file, user] = process.argv;

if (what === "write") {
  process.stdout.write("begun\n");
  for (let line = 0; ; line++) {
    fs.appendFileSync(file, `${line}\n`);
    await new Promise((done) => setImmediate(done));
  }
}

const given = JSON.parse(readFileSync(file, "utf8"));
let calls = 0;
let failAt = Number.POSITIVE_INFINITY;
const needsSpace = (holder, name, needs = () => true) => {
  const original = holder[name];
  holder[name] = function (...args) {
    if (needs(...args)) {
      calls += 1;
      if (calls >= failAt)
        throw Object.assign(new Error(`ENOSPC: no space left on device, ${name}`), { code: "ENOSPC" });
    }
    return original.apply(this, args);
  };
};
// Flags as numbers open what is there.
const makes = (_path, flags) => (typeof flags === "number" ? (flags & fs.constants.O_CREAT) !== 0 : flags !== "r");
needsSpace(fs, "openSync", makes);
needsSpace(fs, "open", makes);
for (const name of ["writeSync", "mkdirSync", "symlinkSync", "linkSync", "writeFileSync"]) needsSpace(fs, name);
syncBuiltinESMExports();
const { applyFiles, BlobStore } = await import("../../dist/checkpoint/index.js");
if (user === "nobody") {
  process.setgid(65534);
  process.setuid(65534);
}

async function restored({ store, plan, ...full }) {
  calls = 0;
  failAt = full.failAt ?? Number.POSITIVE_INFINITY;
  try {
    await applyFiles(plan, { store: new BlobStore(store) });
    return { code: "done", message: "" };
  } catch ({ code, message }) {
    return { code, message };
  } finally {
    failAt = Number.POSITIVE_INFINITY;
  }
}

const ends = [];
for (const one of what === "full" ? given : [given]) ends.push(await restored(one));
process.stdout.write(JSON.stringify(what === "full" ? ends : ends[0]));
