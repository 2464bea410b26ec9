import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { COMPILER_ENVIRONMENT, COMPILER_WORDS, nativeCompiler } from "../scripts/tsc.mjs";
import { diskSpace } from "./support/disk-space.js";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const folder = mkdtempSync(join(tmpdir(), "bough-package-"));
const sessions = join(folder, "sessions");
/** A folder with the unpacked tarball and no other package. */
const consumer = join(folder, "consumer");
/** A folder where npm installed the tarball, with what it depends on. */
const user = join(folder, "user");
const packed = inject("packedFiles");
const tarball = inject("packedTarball");

function run(command: string, args: readonly string[], cwd: string): string {
  const env = { ...COMPILER_ENVIRONMENT, npm_config_update_notifier: "false", BOUGH_HOME: join(folder, "home") };
  return execFileSync(command, args, { cwd, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

/** On a busy machine npm takes minutes for what takes seconds otherwise. */
const INSTALL_MS = 600_000;

beforeAll(() => {
  mkdirSync(consumer);
  writeFileSync(join(consumer, "package.json"), JSON.stringify({ name: "consumer", private: true, type: "module" }));
  const alone = join(consumer, "node_modules", "bough");
  mkdirSync(alone, { recursive: true });
  run("tar", ["-xzf", tarball, "--strip-components=1", "-C", alone], folder);
  mkdirSync(user);
  writeFileSync(join(user, "package.json"), JSON.stringify({ name: "user", private: true, type: "module" }));
  // The one test that may ask the registry: npm ci has just filled its cache, and that is tried first.
  run("npm", ["install", "--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund", tarball], user);
}, INSTALL_MS);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the packed tarball", () => {
  test("holds the built library, the documents and nothing else", () => {
    const known =
      /^(dist\/[a-z]+\/[a-z-]+\d?\.js(\.map)?|dist\/.+\.d\.ts|dist\/workers\/search-[a-z]+\.cjs(\.map)?|dist\/web\/(?:page|live)\.html|dist\/THIRD-PARTY\.txt|docs\/.+\.(md|json)|docs\/images\/.+\.(svg|png)|bench\/README\.md|examples\/.+\.(mjs|ts|md)|(README|ARCHITECTURE|CONTRIBUTING|AGENTS|CHANGELOG)\.md|LICENSE|package\.json)$/;
    expect(packed.filter((path) => !known.test(path))).toEqual([]);
    expect(packed.filter((path) => /\.test(-support)?\./.test(path))).toEqual([]);
    expect(packed).toEqual(expect.arrayContaining(["LICENSE", "dist/session/index.js", "dist/session/index.d.ts"]));
  });

  test("holds every file that its pages link to", () => {
    const holds = (path: string) =>
      packed.some((file) => file === path || file.startsWith(`${path.replace(/\/$/, "")}/`));
    const pages = packed.filter((path) => path.endsWith(".md"));
    expect(pages.length).toBeGreaterThan(50);
    const broken = pages.flatMap((page) => {
      const text = readFileSync(join(root, page), "utf8")
        .replaceAll(/^```[\s\S]*?^```/gm, "")
        .replaceAll(/`[^`\n]*`/g, "");
      return [...text.matchAll(/\]\(([^)\s#]+)(?:#[^)]*)?\)/g)]
        .map(([, target]) => target as string)
        .filter((target) => !/^[a-z]+:/.test(target) && !holds(join(dirname(page), decodeURI(target))))
        .map((target) => `${page}: ${target}`);
    });
    expect(broken).toEqual([]);
  });

  test("has no script that npm would run or warn about when it is installed", () => {
    const { scripts } = JSON.parse(readFileSync(join(consumer, "node_modules", "bough", "package.json"), "utf8"));
    expect(["preinstall", "install", "postinstall", "prepare"].filter((name) => name in scripts)).toEqual([]);
  });

  test("gives the session engine to a folder that has no other package", () => {
    const installed = readdirSync(join(consumer, "node_modules")).filter((name) => !name.startsWith("."));
    expect(installed).toEqual(["bough"]);
    writeFileSync(
      join(consumer, "use.mjs"),
      `import { SessionManager } from "bough/session";
       const session = SessionManager.create(process.cwd(), ${JSON.stringify(sessions)});
       const first = session.appendMessage({ role: "user", content: "one", timestamp: 1 });
       session.appendMessage({ role: "user", content: "two", timestamp: 2 });
       session.branch(first);
       session.close();
       const again = SessionManager.open(session.getSessionFile());
       const contents = again.getEntries().filter((entry) => entry.type === "message").map((entry) => entry.message.content);
       console.log(JSON.stringify({ contents, sameLeaf: again.getLeafId() === first }));
       again.close();`,
    );
    const printed = run(process.execPath, ["use.mjs"], consumer);
    expect(JSON.parse(printed)).toEqual({ contents: ["one", "two"], sameLeaf: true });
  });

  test("installs with npm, and its command answers", () => {
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
    expect(run("npx", ["--no-install", "bough", "--version"], user).trim()).toContain(version);
    writeFileSync(join(user, "notes.txt"), "one\n");
    const command = join(user, "node_modules", ".bin", "bough");
    expect(run(command, ["-p", "--model", "offline/rules", "what is in this folder?"], user)).toContain("notes.txt");
  });

  test("takes at most 60 MB and 50 packages once installed, none of which has a script to run", () => {
    const listing = readFileSync(join(user, "node_modules", ".package-lock.json"), "utf8");
    const { packages } = JSON.parse(listing) as {
      readonly packages: Readonly<Record<string, { hasInstallScript?: true }>>;
    };
    const names = Object.keys(packages).map((path) => path.slice(path.lastIndexOf("node_modules/") + 13));
    expect(names.length).toBeLessThanOrEqual(50);
    expect(names).not.toContain("koffi");
    expect(Object.values(packages).filter(({ hasInstallScript }) => hasInstallScript)).toEqual([]);
    expect(diskSpace(join(user, "node_modules"))).toBeLessThanOrEqual(60_000_000);
  });

  test("cannot be imported past its exports", () => {
    writeFileSync(
      join(consumer, "inside.mjs"),
      `const code = await import("bough/dist/session/index.js").then(() => "open", (error) => error.code);
       console.log(code);`,
    );
    expect(run(process.execPath, ["inside.mjs"], consumer).trim()).toBe("ERR_PACKAGE_PATH_NOT_EXPORTED");
  });

  test("gives a strict TypeScript project its types, without skipLibCheck", () => {
    writeFileSync(
      join(user, "use.ts"),
      `import * as agent from "bough/agent";
       import * as extension from "bough/extension";
       import * as interop from "bough/interop";
       import { SessionManager, type SessionEntry } from "bough/session";
       export { agent, extension, interop };
       const session: SessionManager = SessionManager.inMemory();
       const id: string = session.appendMessage({ role: "user", content: "one", timestamp: 1 });
       const entries: readonly SessionEntry[] = session.getEntries();
       // @ts-expect-error: a message needs a known role
       session.appendMessage({ role: "nobody", content: "one", timestamp: 1 });
       session.getEntry("a text from a command line");
       const label = session.getLabel(id);
       // @ts-expect-error: a label is not an id
       if (label !== undefined) session.getEntry(label);
       // @ts-expect-error: nor is the id of a session
       session.getEntry(session.getSessionId());
       export { entries, id };`,
    );
    // skipLibCheck stays off: the declarations themselves are checked too.
    const types = ["--types", "node", "--typeRoots", join(root, "node_modules", "@types")];
    const options = [
      "--module",
      "nodenext",
      "--target",
      "es2023",
      "--strict",
      "--exactOptionalPropertyTypes",
      "--noEmit",
    ];
    expect(run(process.execPath, [nativeCompiler(), ...COMPILER_WORDS, ...options, ...types, "use.ts"], user)).toBe("");
  });
});
