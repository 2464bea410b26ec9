/** A home folder made of copies of the large samples (`BOUGH_FIXTURES`): every transcript where its program keeps it. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { copySample } from "./copy-sample.js";
import { FIXTURES } from "./interop-source.js";
import { type ExportedSession, storeAsFiles } from "./opencode-home.js";
import { storedZstd } from "./stored-zstd.js";

/** What has to be there; the samples are no part of the project. */
export const MISSING_FIXTURES = [join(FIXTURES, "real"), join(FIXTURES, "foreign")].filter((path) => !existsSync(path));

const OPENCODE = [".local", "share", "opencode"] as const;

/** Real homes, one on top of the other, and the samples of other projects beside them. Answers the main files. */
export function layOutFixtures(home: string): string[] {
  const placed: string[] = [];
  const copy: Place = (from, ...to) => {
    const target = join(home, ...to);
    mkdirSync(dirname(target), { recursive: true });
    if (target.endsWith(".zst")) writeFileSync(target, storedZstd(readFileSync(from)));
    else copySample(from, target);
  };
  const place: Place = (from, ...to) => {
    copy(from, ...to);
    placed.push(join(home, ...to));
  };
  for (const scenario of foldersBelow(join(FIXTURES, "real"), 2)) layOutHome(scenario, home, placed);
  const samples = join(FIXTURES, "foreign");
  layOutClaude(join(samples, "claude-code"), place, copy);
  for (const [at, path] of filesIn(join(samples, "codex"), ".jsonl").entries()) {
    const name = `rollout-2026-11-14T10-00-${two(at)}-${threadIn(path) ?? madeId(at)}.jsonl`;
    // Every other one as the program keeps those that are old.
    place(path, ".codex", "sessions", "2026", "11", "14", at % 2 === 0 ? name : `${name}.zst`);
  }
  const hash = "5f0c".repeat(16);
  const chats = [...filesIn(join(samples, "gemini-cli"), ".json"), ...filesIn(join(samples, "gemini-cli"), ".jsonl")];
  for (const [at, path] of chats.entries()) {
    if (basename(path).includes("checkpoint")) place(path, ".gemini", "tmp", hash, "checkpoint-sample.json");
    else
      place(path, ".gemini", "tmp", hash, "chats", `session-2026-11-14T10-${two(at)}-${two(at)}aaaaaa${extname(path)}`);
  }
  copySample(join(samples, "opencode", "storage-v2"), join(home, ...OPENCODE, "storage"));
  placed.push(...filesIn(join(home, ...OPENCODE, "storage", "session", "proj_test"), ".json"));
  for (const [family, root] of [
    ["pi", ".pi"],
    ["oh-my-pi", ".omp"],
  ] as const) {
    for (const [at, path] of filesIn(join(samples, family), ".jsonl").entries()) {
      place(path, root, "agent", "sessions", "--samples--", `2026-11-14T10-${two(at)}-00-000Z_${madeId(at)}.jsonl`);
    }
  }
  return placed.sort();
}

type Place = (from: string, ...to: readonly string[]) => void;

/** The home of one run of a real program. Databases of several runs cannot be one, but channels have their own. */
function layOutHome(scenario: string, home: string, placed: string[]): void {
  const database = join(scenario, ...OPENCODE, "opencode.db");
  for (const name of readdirSync(scenario)) {
    if (!name.startsWith(".") || name === ".local") continue;
    copySample(join(scenario, name), join(home, name));
  }
  if (existsSync(database)) {
    const target = join(home, ...OPENCODE, `opencode-${basename(scenario)}.db`);
    copySample(database, target);
    placed.push(target);
  } else {
    // The program printed it; before it had a database it would have kept it so.
    for (const path of filesIn(join(scenario, "export"), ".json")) {
      const exported = JSON.parse(readFileSync(path, "utf8")) as ExportedSession;
      placed.push(storeAsFiles(exported, join(home, ...OPENCODE, "storage")));
    }
  }
  for (const name of existsSync(scenario) ? readdirSync(scenario, { recursive: true, encoding: "utf8" }) : []) {
    const isMain = /\.jsonl$/.test(name) && name.startsWith(".") && !name.includes("subagents");
    if (isMain) placed.push(join(home, name));
  }
}

/** A file of its own is named after the session it says it is; a folder has the names already. */
function layOutClaude(samples: string, place: Place, beside: Place): void {
  const project = [".claude", "projects", "-home-dev-samples"] as const;
  const seen = new Set<string>();
  for (const path of filesIn(samples, ".jsonl")) {
    const said = /"sessionId":\s*"([0-9a-f-]{36})"/.exec(readFileSync(path, "utf8"))?.[1];
    const id = said === undefined || seen.has(said) ? madeId(seen.size) : said;
    seen.add(id);
    place(path, ...project, `${id}.jsonl`);
  }
  for (const folder of foldersBelow(samples, 1)) {
    for (const path of filesIn(folder, ".jsonl")) {
      const id = basename(path, ".jsonl");
      place(path, ...project, basename(path));
      const inside = join(folder, id, "subagents");
      for (const agent of existsSync(inside) ? readdirSync(inside) : []) {
        beside(join(inside, agent), ...project, id, "subagents", agent);
      }
    }
  }
}

function filesIn(folder: string, extension: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((item) => item.isFile() && extname(item.name) === extension)
    .map(({ name }) => join(folder, name))
    .sort();
}

/** The folders so many steps below one. */
function foldersBelow(folder: string, depth: number): string[] {
  const folders = readdirSync(folder, { withFileTypes: true })
    .filter((item) => item.isDirectory() && !item.name.startsWith("."))
    .map(({ name }) => join(folder, name))
    .sort();
  return depth === 1 ? folders : folders.flatMap((each) => foldersBelow(each, depth - 1));
}

function threadIn(path: string): string | undefined {
  const [first = ""] = readFileSync(path, "utf8").split("\n", 1);
  return /"id":\s*"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"/.exec(first)?.[1];
}

const two = (n: number): string => String(n).padStart(2, "0");
const madeId = (n: number): string => `00000000-0000-4000-8000-0000000000${two(n)}`;
