// Another process in a folder. Arguments: what, and a file.
// `restore`: a file with { store, plan }; restores, and prints how it ended as { code, message }.
// `full`: the same on a disk that is full from the n-th call that needs space on (`failAt`), until the restore has ended.
// `write`: appends a line to the file again and again, and prints a line when it has begun.
import fs, { readFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const [, , what, file] = process.argv;

if (what === "write") {
  process.stdout.write("begun\n");
  for (let line = 0; ; line++) {
    fs.appendFileSync(file, `${line}\n`);
    await new Promise((done) => setImmediate(done));
  }
}

const { store, plan, failAt = 0 } = JSON.parse(readFileSync(file, "utf8"));
let calls = 0;
let isFull = what === "full";
const needsSpace = (holder, name, needs = () => true) => {
  const original = holder[name];
  holder[name] = function (...args) {
    if (isFull && needs(...args)) {
      calls += 1;
      if (calls >= failAt)
        throw Object.assign(new Error(`ENOSPC: no space left on device, ${name}`), { code: "ENOSPC" });
    }
    return original.apply(this, args);
  };
};
needsSpace(fs, "openSync", (_path, flags) => flags !== "r");
for (const name of ["writeSync", "mkdirSync", "symlinkSync", "linkSync", "writeFileSync"]) needsSpace(fs, name);
syncBuiltinESMExports();
const { applyFiles, BlobStore } = await import("../../dist/checkpoint/index.js");
let end = { code: "done", message: "" };
try {
  await applyFiles(plan, { store: new BlobStore(store) });
} catch ({ code, message }) {
  end = { code, message };
}
isFull = false;
process.stdout.write(JSON.stringify(end));
