/**
 * Reads the import statements of every source file and reports the arrows that point the wrong way.
 *
 * Works on a map of path (from the name of the room on, with `/`) to source text and touches no disk, so a test can also hand it
 * crafted mistakes and see each rule fail.
 */
import { builtinModules } from "node:module";
import { posix } from "node:path";
import { type FileImport, importsIn, nodeGlobalsIn } from "./file-facts.js";

interface Package {
  readonly name: string;
  /** The packages it may import. */
  readonly below: readonly string[];
  /** A room imports only rooms of its package that come before it, and rooms of the packages below. */
  readonly rooms: readonly string[];
}

/** All packages with their rooms, in order. Tests may also use later rooms of their own package to make samples. */
const PACKAGES: readonly Package[] = [
  { name: "session", below: [], rooms: ["text", "entry", "tree", "context", "view", "log", "session"] },
  {
    name: "workbench",
    below: ["session"],
    rooms: [
      "secrets",
      "interop",
      "web",
      "export",
      "checkpoint",
      "folder",
      "store",
      "history",
      "usage",
      "serve",
      "find",
    ],
  },
  {
    name: "agent",
    below: ["session", "workbench"],
    rooms: ["model", "tool", "terminal", "mcp", "extension", "project", "driver", "agent"],
  },
  { name: "rpc", below: [], rooms: ["rpc"] },
  { name: "pi", below: ["session", "workbench", "agent"], rooms: ["pi"] },
  {
    name: "program",
    below: ["session", "workbench", "agent", "rpc", "pi"],
    rooms: ["command", "tui", "cli"],
  },
];
export const ROOMS: readonly string[] = PACKAGES.flatMap(({ rooms }) => rooms);

/** How a file of one room names a module of another, which is given as `room/file`. */
export function specifierFrom(room: string, target: string): string {
  const [own, other] = [packageOf(room), packageOf(target.slice(0, target.indexOf("/")))];
  return own === other ? `../${target}.js` : `@bough/${other.name}/${target}.js`;
}

/** What a room lets in: what is published, what is published apart, and what only other rooms use. */
const DOORS: readonly string[] = ["index", "plan", "testing", "run", "ui", "door", "internal"];
/** Rooms that use nothing but the platform. */
const OWN_CODE_ONLY: ReadonlySet<string> = new Set(["text", "entry", "tree", "context", "log", "session"]);
/** Rooms that also run in a browser. */
const PURE: ReadonlySet<string> = new Set(["text", "entry", "tree", "context", "view"]);
const TEST_PACKAGES: ReadonlySet<string> = new Set(["vitest", "fast-check"]);
const NODE_MODULES: ReadonlySet<string> = new Set(builtinModules);

export type ArrowRule =
  | "unknown-room"
  | "no-door"
  | "wrong-arrow"
  | "back-door"
  | "outside"
  | "test-code"
  | "third-party"
  | "impure"
  | "cycle";

export interface ArrowFinding {
  readonly rule: ArrowRule;
  readonly file: string;
  /** First line is 1; 0 where the finding belongs to the whole file. */
  readonly line: number;
  readonly detail: string;
}

/**
 * Test files (`*.test.ts`, `*.test-support.ts`) may use vitest, fast-check and `node:` in any room and may reach another
 * room's `*.test-support.ts`. They may also make their samples with later rooms of their package; doors hold for them too.
 */
export function checkArrows(sources: ReadonlyMap<string, string>): readonly ArrowFinding[] {
  const findings: ArrowFinding[] = [];
  const importsOf = new Map<string, string[]>();
  const rooms = new Set<string>();
  for (const [file, text] of sources) {
    const room = roomOf(file);
    if (room === undefined) {
      findings.push({ rule: "unknown-room", file, line: 0, detail: "not in a folder of the list of rooms" });
      continue;
    }
    rooms.add(room);
    const targets: string[] = [];
    for (const item of importsIn(file, text)) {
      const finding = checkImport({ file, room, item });
      if (finding !== undefined) findings.push({ ...finding, file, line: item.line });
      if (isOwn(item.specifier)) targets.push(resolveImport(file, item.specifier));
    }
    if (!isTestFile(file)) importsOf.set(file, targets);
    if (PURE.has(room) && !isTestFile(file)) {
      for (const use of nodeGlobalsIn(file, text)) {
        findings.push({ rule: "impure", file, line: use.line, detail: `uses ${use.name}` });
      }
    }
  }
  for (const room of rooms) {
    const door = `${room}/index.ts`;
    if (!sources.has(door)) findings.push({ rule: "no-door", file: door, line: 0, detail: "the room has no index.ts" });
  }
  for (const cycle of cyclesIn(importsOf)) {
    findings.push({ rule: "cycle", file: cycle[0] ?? "", line: 0, detail: [...cycle, cycle[0]].join(" -> ") });
  }
  return findings;
}

interface Arrow {
  readonly file: string;
  readonly room: string;
  readonly item: FileImport;
}

function checkImport({ file, room, item }: Arrow): { rule: ArrowRule; detail: string } | undefined {
  const { specifier } = item;
  const test = isTestFile(file);
  if (!isOwn(specifier)) return checkPackage({ room, specifier, test });

  const target = resolveImport(file, specifier);
  if (target.startsWith("..")) {
    return test ? undefined : { rule: "outside", detail: `${specifier} is not in a room` };
  }
  if (isTestFile(target) && !test) return { rule: "test-code", detail: `${specifier} is not part of the build` };

  const targetRoom = roomOf(target);
  if (targetRoom === undefined) return { rule: "unknown-room", detail: `${specifier} is in no known room` };
  if (targetRoom === room) return undefined;
  const [own, other] = [packageOf(room), packageOf(targetRoom)];
  if (specifier !== specifierFrom(room, target.replace(/\.ts$/, "")) && own !== other) {
    return { rule: "outside", detail: `${specifier} is in the package ${other.name}` };
  }
  if (own === other && !specifier.startsWith(".")) {
    return { rule: "outside", detail: `${specifier} is in the same package` };
  }
  const isBelow =
    own === other ? test || ROOMS.indexOf(targetRoom) < ROOMS.indexOf(room) : own.below.includes(other.name);
  if (!isBelow) {
    return { rule: "wrong-arrow", detail: `${room} must not know ${targetRoom}` };
  }
  if (DOORS.some((door) => target === `${targetRoom}/${door}.ts`)) return undefined;
  if (test && target.endsWith(".test-support.ts")) return undefined;
  return { rule: "back-door", detail: `${specifier} goes past ${targetRoom}/index.js` };
}

interface PackageImport {
  readonly room: string;
  readonly specifier: string;
  readonly test: boolean;
}

function checkPackage({ room, specifier, test }: PackageImport): { rule: ArrowRule; detail: string } | undefined {
  if (specifier.startsWith("node:") || NODE_MODULES.has(specifier)) {
    return PURE.has(room) && !test ? { rule: "impure", detail: `imports ${specifier}` } : undefined;
  }
  const name = specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
  if (name === "bough") return { rule: "back-door", detail: `${specifier} comes in through the published door` };
  if (!OWN_CODE_ONLY.has(room) || (test && TEST_PACKAGES.has(name))) return undefined;
  return { rule: "third-party", detail: `imports ${specifier}` };
}

/** The room of a path, or undefined for a file outside every known room. */
function roomOf(file: string): string | undefined {
  const slash = file.indexOf("/");
  const room = slash < 0 ? "" : file.slice(0, slash);
  return ROOMS.includes(room) ? room : undefined;
}

function packageOf(room: string): Package {
  const found = PACKAGES.find(({ rooms }) => rooms.includes(room));
  if (found === undefined) throw new Error(`no package has a room ${room}`);
  return found;
}

function isOwn(specifier: string): boolean {
  return specifier.startsWith(".") || specifier.startsWith("@bough/");
}

function isTestFile(file: string): boolean {
  return file.endsWith(".test.ts") || file.endsWith(".test-support.ts");
}

function resolveImport(file: string, specifier: string): string {
  const named = /^@bough\/[^/]+\/(.+)$/.exec(specifier)?.[1];
  return (named ?? posix.join(posix.dirname(file), specifier)).replace(/\.js$/, ".ts");
}

/** Takes away files that import nothing that is left; whatever remains leads into a cycle, which is then walked. */
function cyclesIn(importsOf: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const left = new Map<string, readonly string[]>(importsOf);
  const cycles: string[][] = [];
  const remaining = (file: string): string[] => (left.get(file) ?? []).filter((target) => left.has(target));
  for (;;) {
    let shrank = true;
    while (shrank) {
      shrank = false;
      for (const file of [...left.keys()]) {
        if (remaining(file).length > 0) continue;
        left.delete(file);
        shrank = true;
      }
    }
    let file: string | undefined = [...left.keys()].sort()[0];
    if (file === undefined) return cycles;
    const walk: string[] = [];
    while (file !== undefined && !walk.includes(file)) {
      walk.push(file);
      file = remaining(file)[0];
    }
    const cycle = walk.slice(walk.indexOf(file ?? ""));
    cycles.push(cycle);
    for (const member of cycle) left.delete(member);
  }
}
