// Changes files when told to. Each order is a JSON line on stdin and is answered by one line when it is done.
import { appendFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

const acts = {
  append: (path, text) => appendFileSync(path, text),
  create: (path) => writeFileSync(path, ""),
  replace: (path, text) => {
    writeFileSync(`${path}.new`, text);
    renameSync(`${path}.new`, path);
  },
  remove: (path) => rmSync(path, { recursive: true }),
  makeFolder: (path) => mkdirSync(path),
};

for await (const line of createInterface({ input: process.stdin })) {
  const [act, path, text] = JSON.parse(line);
  acts[act](path, text);
  console.log("done");
}
