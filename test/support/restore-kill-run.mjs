/**
 * One restore that is killed: a folder of random files, a random plan for it, a process that restores it and is killed at
 * some call, often another one that settles it and is killed too, and then a start that is left alone.
 *
 * @typedef {{ end: "before" | "after", fault?: string, kills: number }} KillRun
 */
import { execFile } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { BlobStore, hashOf, planFiles, settleRestores } from "../../dist/checkpoint/index.js";

const CHILD = fileURLToPath(new URL("restore-kill-child.mjs", import.meta.url));
const PATHS = ["a", "b", "c", "d/a", "d/b", "d/e/f", "g", "g/h", "i/j/k", "line\nbreak", "é"];

/**
 * @param {string} folder an empty one
 * @param {() => number} random from 0 to 1
 * @returns {Promise<KillRun>}
 */
export async function restoreKillRun(folder, random) {
  const root = join(folder, "root");
  const store = new BlobStore(join(folder, "store"));
  mkdirSync(root);
  const [before, after] = [randomWorld(random), randomWorld(random)];
  writeWorld(root, before);
  writeFileSync(join(root, "other"), "other");
  const targets = [];
  for (const path of [...new Set([...before.keys(), ...after.keys()])].sort()) {
    const [expected, wanted] = [await stateOf(before.get(path), store), await stateOf(after.get(path), store)];
    if (JSON.stringify(expected) !== JSON.stringify(wanted)) targets.push({ path, expected, wanted, byPerson: false });
  }
  const plan = await planFiles(targets, { root, store });
  const start = picture(root);
  const input = join(folder, "plan.json");
  writeFileSync(input, JSON.stringify({ store: store.folder, plan }));
  let kills = 0;
  const run = async (/** @type {string} */ what, /** @type {number} */ most) => {
    const { signal, stderr } = await child([input, String(1 + Math.floor(random() * most)), what]);
    if (signal === "SIGKILL") kills += 1;
    else if (stderr !== "") throw new Error(stderr);
  };
  await run("restore", 60 + plan.files.length * 16);
  if (random() < 0.5) await run("settle", 20 + plan.files.length * 4);
  await settleRestores({ store: store.folder, root });
  const now = picture(root);
  const wanted = join(folder, "wanted");
  mkdirSync(wanted);
  writeWorld(wanted, after);
  writeFileSync(join(wanted, "other"), "other");
  const fault = await faultOf({ now, start, end: picture(wanted), before, store });
  return { end: now === start ? "before" : "after", kills, ...(fault === undefined ? {} : { fault }) };
}

async function faultOf({ now, start, end, before, store }) {
  if (now !== start && now !== end) return `between: ${now}`;
  const journals = join(store.folder, "journal");
  if (exists(journals) && readdirSync(journals).length > 0) return "a journal is left";
  if (now === start) return undefined;
  for (const content of before.values()) {
    if ("text" in content && (await store.condition(hashOf(Buffer.from(content.text)))) !== "whole")
      return "a content is lost";
  }
  return undefined;
}

/** @param {readonly string[]} args */
function child(args) {
  return new Promise((done) => {
    execFile(process.execPath, [CHILD, ...args], (error, _stdout, stderr) =>
      done({ signal: error?.signal ?? null, stderr: error === null || error.signal ? "" : stderr }),
    );
  });
}

function randomWorld(random) {
  const world = new Map();
  for (const path of PATHS) {
    if (random() < 0.4) continue;
    // As on a disk: what is a file is no folder.
    for (const other of world.keys()) if (path.startsWith(`${other}/`)) world.delete(other);
    if (random() < 0.15) world.set(path, { link: random() < 0.5 ? "a" : "nowhere" });
    else
      world.set(path, {
        text: `${path} ${Math.floor(random() * 3)}`.repeat(1 + Math.floor(random() * 400)),
        isExecutable: random() < 0.3,
      });
  }
  return world;
}

function writeWorld(root, world) {
  for (const [path, content] of world) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    if ("link" in content) symlinkSync(content.link, join(root, path));
    else {
      writeFileSync(join(root, path), content.text);
      chmodSync(join(root, path), content.isExecutable ? 0o755 : 0o644);
    }
  }
}

async function stateOf(content, store) {
  if (content === undefined) return null;
  if ("link" in content) return { link: content.link };
  const bytes = Buffer.from(content.text);
  return { hash: await store.put(bytes), mode: content.isExecutable ? "755" : "644", size: bytes.length };
}

function picture(root, folder = "") {
  return readdirSync(join(root, folder))
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      const stats = lstatSync(join(root, path));
      if (stats.isDirectory()) return picture(root, path);
      if (stats.isSymbolicLink()) return `${path} -> ${readlinkSync(join(root, path))}\n`;
      return `${path} ${stats.mode & 0o111 ? "x" : "-"} ${hashOf(readFileSync(join(root, path)))}\n`;
    })
    .join("");
}

function exists(path) {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
