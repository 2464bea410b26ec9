import { mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { installSource, nameOfSource, shownSource } from "./install-source.js";

test.each([
  ["notes", { kind: "npm", spec: "notes" }, "notes"],
  ["npm:notes", { kind: "npm", spec: "notes" }, "notes"],
  ["@example/notes@1.2.0", { kind: "npm", spec: "@example/notes@1.2.0" }, "notes"],
  ["npm:@example/notes@next", { kind: "npm", spec: "@example/notes@next" }, "notes"],
  ["https://example.com/notes-1.0.0.tgz", { kind: "npm", spec: "https://example.com/notes-1.0.0.tgz" }, "notes-1.0.0"],
  ["git:github.com/example/notes", { kind: "git", url: "https://github.com/example/notes" }, "notes"],
  ["git:github.com/example/notes@v1", { kind: "git", url: "https://github.com/example/notes", ref: "v1" }, "notes"],
  ["github:example/notes#v1", { kind: "git", url: "https://github.com/example/notes", ref: "v1" }, "notes"],
  ["https://example.com/notes.git", { kind: "git", url: "https://example.com/notes.git" }, "notes"],
  ["git+https://example.com/notes.git@v2", { kind: "git", url: "https://example.com/notes.git", ref: "v2" }, "notes"],
  ["ssh://git@example.com/notes.git", { kind: "git", url: "ssh://git@example.com/notes.git" }, "notes"],
  ["git@example.com:me/notes.git", { kind: "git", url: "git@example.com:me/notes.git" }, "notes"],
  ["git@example.com:me/notes.git@v3", { kind: "git", url: "git@example.com:me/notes.git", ref: "v3" }, "notes"],
  ["file:///srv/notes.git", { kind: "git", url: "file:///srv/notes.git" }, "notes"],
] as const)("%s is %o, called %s", (text, source, name) => {
  const found = installSource(text, tempFolder());
  expect([found, nameOfSource(found)]).toEqual([source, name]);
});

test("a path that exists wins over a package of the same name, and ~ is the home folder", () => {
  const cwd = tempFolder();
  mkdirSync(join(cwd, "notes"));
  writeFileSync(join(cwd, "packed-1.0.0.tgz"), "");
  expect(installSource("notes", cwd)).toEqual({ kind: "path", path: join(cwd, "notes") });
  expect(installSource("packed-1.0.0.tgz", cwd)).toEqual({ kind: "npm", spec: join(cwd, "packed-1.0.0.tgz") });
  expect(installSource("~", cwd)).toEqual({ kind: "path", path: homedir() });
});

test.each([
  "./missing.ts",
  "/missing",
  "~/no-such-extension",
  "",
  "two words",
  "--global",
  "npm:--global",
  "npm:../other",
  "git:--upload-pack=touch /tmp/x",
  "git:ext::sh -c id",
  "git:example.com/x@--flag",
  "git:",
])("%o is not a source", (text) => {
  expect(() => installSource(text, tempFolder())).toThrow(expect.objectContaining({ code: "bad-source" }));
});

test("a password in an address is neither shown nor kept", () => {
  const source = installSource("https://me:s3cret@example.com/notes.git@v1", tempFolder());
  expect(source).toEqual({ kind: "git", url: "https://me:s3cret@example.com/notes.git", ref: "v1" });
  expect(shownSource(source)).toBe("git:https://example.com/notes.git@v1");
});
