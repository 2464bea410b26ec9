import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ownerMark } from "@bough/session/log/index.js";
import { expect, test } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { findExtensions, projectScope, userScope } from "../find-extensions.js";
import { installExtension, installMissing, removeExtension, switchExtension } from "./install-extension.js";
import { readInstalled } from "./installed-list.js";

const SCRIPT = "export default function () {}\n";

function place() {
  const cwd = tempFolder();
  const home = join(cwd, "home");
  const scope = userScope(home);
  const options = { scope, cwd, signal: new AbortController().signal };
  const loaded = () => findExtensions({ home, cwd, trusted: true });
  return { cwd, home, scope, options, loaded };
}

/** A package with an index script, whose install script would leave a trace. */
function packageIn(folder: string, { name = "notes", version = "1.0.0" } = {}): string {
  mkdirSync(folder, { recursive: true });
  const scripts = { install: "touch ran", postinstall: "touch ran", preinstall: "touch ran", prepare: "touch ran" };
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name, version, main: "index.js", scripts }));
  writeFileSync(join(folder, "index.js"), SCRIPT);
  return folder;
}

/** As npm packs it, with everything in a `package` folder. */
function packed(folder: string, options = {}): string {
  packageIn(join(folder, "source", "package"), options);
  const tarball = join(folder, "package.tgz");
  execFileSync("tar", ["-czf", tarball, "-C", join(folder, "source"), "package"]);
  return tarball;
}

function repository(folder: string): { readonly commit: (text: string) => string; readonly url: string } {
  packageIn(folder);
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=Test", "-c", "user.email=test@example.com", ...args], { cwd: folder })
      .toString()
      .trim();
  git("init", "--quiet");
  const commit = (text: string) => {
    writeFileSync(join(folder, "index.js"), `// ${text}\n${SCRIPT}`);
    git("add", "-A");
    git("commit", "--quiet", "-m", text);
    git("tag", text);
    return git("rev-parse", "HEAD");
  };
  return { commit, url: `file://${folder}` };
}

test("a script stays where it is and is loaded from there", async () => {
  const { cwd, options, loaded } = place();
  writeFileSync(join(cwd, "notes.ts"), SCRIPT);
  const outcome = await installExtension("./notes.ts", options);
  const file = join(cwd, "notes.ts");
  expect(outcome).toEqual({ kind: "installed", extension: { name: "notes", path: file, source: file }, files: [file] });
  expect(loaded().sources).toEqual([{ name: "notes", file, origin: "user" }]);
});

test("a package is installed in its own folder, and its scripts are not run", async () => {
  const { cwd, home, options, loaded } = place();
  const tarball = packed(cwd);
  const { kind, extension } = await installExtension(tarball, options);
  expect([kind, extension]).toEqual([
    "installed",
    { name: "notes", path: "packages/notes/node_modules/notes", source: `npm:${tarball}`, version: "1.0.0" },
  ]);
  const folder = join(home, extension.path);
  expect(loaded().sources).toEqual([{ name: "notes", file: join(folder, "index.js"), origin: "user" }]);
  expect(existsSync(join(folder, "ran"))).toBe(false);
  expect(readdirSync(join(home, "packages"))).toEqual(["notes"]);
  expect(statSync(join(home, "extensions.json")).mode & 0o777).toBe(0o600);
});

test("installing again updates", async () => {
  const { cwd, options, scope } = place();
  await installExtension(packed(join(cwd, "a"), { name: "@example/notes" }), options);
  const outcome = await installExtension(packed(join(cwd, "b"), { name: "@example/notes", version: "2.0.0" }), options);
  expect(outcome.kind).toBe("updated");
  expect(readInstalled(scope).installed.map(({ name, version }) => [name, version])).toEqual([
    ["@example/notes", "2.0.0"],
  ]);
});

test("a repository is cloned at the tag, commit or branch that was named, without its .git", async () => {
  const { cwd, home, options } = place();
  const { commit, url } = repository(join(cwd, "repository"));
  const first = commit("v1");
  const second = commit("v2");
  const files = join(home, "packages/notes/package");
  const installed = async (source: string) => {
    const { extension } = await installExtension(source, options);
    return [extension.version, readFileSync(join(files, "index.js"), "utf8").split("\n")[0]];
  };
  expect(await installed(url)).toEqual([second, "// v2"]);
  expect(await installed(`${url}@v1`)).toEqual([first, "// v1"]);
  expect(await installed(`${url}@${second}`)).toEqual([second, "// v2"]);
  expect(existsSync(join(files, ".git"))).toBe(false);
  expect(existsSync(join(files, "ran"))).toBe(false);
});

test("what fails changes nothing: a tag that does not exist, a package without an extension, a stop", async () => {
  const { cwd, home, options, scope } = place();
  const { commit, url } = repository(join(cwd, "repository"));
  commit("v1");
  await installExtension(url, options);
  const before = readFileSync(join(home, "extensions.json"), "utf8");
  mkdirSync(join(cwd, "empty"));
  const stopped = { ...options, signal: AbortSignal.abort(new Error("stopped")) };
  await expect(installExtension(`${url}@v9`, options)).rejects.toMatchObject({ code: "install-failed" });
  await expect(installExtension("./empty", options)).rejects.toMatchObject({ code: "no-extension" });
  await expect(installExtension(`file://${cwd}/none`, options)).rejects.toMatchObject({ code: "install-failed" });
  await expect(installExtension(url, stopped)).rejects.toThrow("stopped");
  expect(readFileSync(join(home, "extensions.json"), "utf8")).toBe(before);
  expect(readdirSync(join(home, "packages"))).toEqual(["notes"]);
  expect(readInstalled(scope).installed).toHaveLength(1);
});

test("a disabled extension is not loaded until it is enabled, wherever it is", async () => {
  const { cwd, home, scope, options, loaded } = place();
  mkdirSync(join(home, "extensions"), { recursive: true });
  writeFileSync(join(home, "extensions", "hello.ts"), SCRIPT);
  writeFileSync(join(cwd, "notes.ts"), SCRIPT);
  await installExtension("./notes.ts", options);
  const names = () => loaded().sources.map(({ name }) => name);
  const known = ["hello", "notes"];
  for (const name of known) expect(switchExtension(name, { scope, enabled: false, known })).toBe("done");
  expect(switchExtension("notes", { scope, enabled: false, known })).toBe("unchanged");
  expect(names()).toEqual([]);
  for (const name of known) switchExtension(name, { scope, enabled: true, known });
  expect(names()).toEqual(["hello", "notes"]);
  expect(() => switchExtension("other", { scope, enabled: true, known })).toThrow("Unknown extension: other");
});

test("removing deletes what was installed and nothing else", async () => {
  const { cwd, home, scope, options, loaded } = place();
  writeFileSync(join(cwd, "hello.ts"), SCRIPT);
  await installExtension("./hello.ts", options);
  await installExtension(packed(cwd), options);
  removeExtension("notes", scope);
  removeExtension("hello", scope);
  expect(readdirSync(join(home, "packages"))).toEqual([]);
  expect(existsSync(join(cwd, "hello.ts"))).toBe(true);
  expect(loaded().sources).toEqual([]);
  expect(() => removeExtension("notes", scope)).toThrow("Unknown extension: notes");
});

test("a project's extensions count once it is trusted, and can be installed again from its list", async () => {
  const { cwd, home, options } = place();
  const scope = projectScope(cwd);
  const { commit, url } = repository(join(cwd, "repository"));
  commit("v1");
  writeFileSync(join(cwd, "hello.ts"), SCRIPT);
  const inProject = { ...options, scope };
  await installExtension(url, inProject);
  await installExtension("./hello.ts", inProject);
  commit("v2");
  // Another checkout, without the files that git ignores.
  const other = join(cwd, "other");
  cpSync(join(cwd, ".bough/extensions.json"), join(other, ".bough/extensions.json"));
  cpSync(join(cwd, "hello.ts"), join(other, "hello.ts"));
  const found = () => findExtensions({ home, cwd: other, trusted: true });
  expect(found().sources.map(({ name }) => name)).toEqual(["hello"]);
  expect(found().problems.map(({ message }) => message)).toEqual([
    "The extension notes is missing. To install it again: bough install --project",
  ]);
  const outcomes = await installMissing({ ...options, cwd: other, scope: projectScope(other) });
  expect(outcomes.map(({ extension }) => extension.name)).toEqual(["notes"]);
  expect(readFileSync(join(other, ".bough/packages/notes/package/index.js"), "utf8")).toContain("// v1");
  expect(
    found()
      .sources.map(({ name }) => name)
      .sort(),
  ).toEqual(["hello", "notes"]);
  const untrusted = findExtensions({ home, cwd: other, trusted: false });
  expect([untrusted.sources, untrusted.untrusted.length]).toEqual([[], 2]);
});

test("an invalid list is reported, not changed, and loads nothing", async () => {
  const { home, scope, options, loaded } = place();
  mkdirSync(join(home, "extensions"), { recursive: true });
  writeFileSync(join(home, "extensions", "hello.ts"), SCRIPT);
  for (const text of ["{", "[]", '{"installed":[{"name":1}]}', '{"disabled":"all"}']) {
    writeFileSync(join(home, "extensions.json"), text);
    expect(loaded().problems.map(({ path }) => path)).toEqual([join(home, "extensions.json")]);
    expect(loaded().sources).toEqual([]);
    await expect(installExtension("./x", { ...options, cwd: home })).rejects.toThrow();
    expect(() => switchExtension("a", { scope, enabled: false, known: ["a"] })).toThrow("cannot be used");
    expect(readFileSync(join(home, "extensions.json"), "utf8")).toBe(text);
  }
});

test("what a killed installation left behind goes with the next one", async () => {
  const { cwd, home, options } = place();
  // A process on this machine that has ended.
  const mark = ownerMark().replace(/^\d+-[0-9a-f]+/, "999999999-00000000");
  mkdirSync(join(home, "packages", `.new-${mark}-0123abcd`), { recursive: true });
  await installExtension(packed(cwd), options);
  expect(readdirSync(join(home, "packages"))).toEqual(["notes"]);
});
