/** Diffs of steps in exports: masked, cut, and readable without the stored contents. */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { FILES_TYPE } from "@bough/session/entry/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { expect, test } from "vitest";
import { projectPlace } from "./files-command.test-support.js";

const SECRET = `ghp_${"a1B2c3D4e5".repeat(3)}f6G7h8`;

async function made() {
  const place = await projectPlace();
  const { session, say, step, write } = place;
  write({ "a.txt": "one\n" });
  say("first");
  await step("run a command", { "a.txt": `one\ntoken ${SECRET}\n`, "src/new.txt": "new\n" });
  session.appendMessage({ role: "user", content: "thanks", timestamp: 0 });
  const exported = async (...args: readonly string[]) => {
    const file = join(place.home, `out-${args.join("")}`.replace(/[^a-z.-]/g, ""));
    const done = await place.bough("export", session.getSessionId(), "-o", file, "--force", ...args);
    expect([done.code, done.stderr.includes("Error")]).toEqual([0, false]);
    return readFileSync(file, "utf8");
  };
  return { ...place, exported };
}

test.each([
  ["markdown", ["-f", "markdown"]],
  ["markdown with every branch", ["-f", "markdown", "--all"]],
])("%s has the diff of what a command did, with secrets masked", async (_name, args) => {
  const { exported } = await made();
  const text = await exported(...args);
  expect(text).not.toContain(SECRET);
  expect(text).toMatch(
    /\*\*2 files changed by bash\*\*\n\n`M a.txt +\+1`\n\n```diff\n@@ -1,1 \+1,2 @@\n one\n\+token [^\n]*•[^\n]*\n```\n\n`A src\/new.txt +\+1`\n\n```diff\n@@ -0,0 \+1,1 @@\n\+new\n```/,
  );
});

test("the page has it too, masked, and a page without tool output does not", async () => {
  const { exported } = await made();
  const page = await exported("-f", "html");
  expect([page.includes(SECRET), page.includes("src/new.txt  +1")]).toEqual([false, true]);
  expect(page).toContain("+new");
  expect(await exported("-f", "html", "--tools", "names")).not.toContain("src/new.txt  +1");
});

test("diffs that a session file brings along are text like any other, and left out with tool output", async () => {
  const { session, exported } = await made();
  const evil = {
    title: "M <script>alert(1)</script>\u001b[31m",
    diff: `+<img src=x onerror=alert(2)> ${SECRET}`,
    moreLines: "many",
  };
  session.appendCustomEntry(FILES_TYPE, { v: 2, diffs: [evil, 5, null], moreFiles: -3 });
  session.appendMessage({ role: "user", content: "after", timestamp: 0 });
  const text = await exported("-f", "markdown");
  expect([text.includes("\u001b"), text.includes(SECRET), text.includes("**1 file changed**")]).toEqual([
    false,
    false,
    true,
  ]);
  const page = await exported("-f", "html");
  expect([page.includes("<script>alert(1)"), page.includes("<img src=x"), page.includes(SECRET)]).toEqual([
    false,
    false,
    false,
  ]);
  for (const format of ["markdown", "html"])
    expect(await exported("-f", format, "--tools", "names")).not.toContain("onerror");
});

test("what edit and write did is shown by their own results, and not twice", async () => {
  const { session, files, say, write, exported } = await made();
  say("edit");
  write({ "edited.txt": "edited\n" });
  await files.record({ by: "tool", tool: "edit, write", callIds: ["2"] });
  expect(await exported("-f", "markdown", "--scope", "all")).not.toContain("edited.txt");
  expect(session.getProblems()).toEqual([]);
});

test("long diffs and many files are cut with a count", async () => {
  const { step, exported } = await made();
  const long = Array.from({ length: 1000 }, (_, n) => `line ${n}\n`).join("");
  const many = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`many/${n}.txt`, "x\n"]));
  await step("much", { ...many, "long.txt": long });
  const text = await exported("-f", "markdown");
  expect(text).toContain("+line 198\n");
  expect(text).not.toContain("+line 199\n");
  expect(text).toContain("_801 more lines not included_");
  expect(text).toContain("_11 more files not included_");
});

test("a private key in a diff is masked, also one that a cut would go through, and long lines are left out whole", async () => {
  const { step, exported } = await made();
  const body = (lines: number) =>
    Array.from({ length: lines }, (_, n) => `${"MIIEvQIBADANBgkq".repeat(3)}${1e15 + n * 7919}`).join("\n");
  const key = (lines: number) => `-----BEGIN RSA PRIVATE KEY-----\n${body(lines)}\n-----END RSA PRIVATE KEY-----\n`;
  const before = Array.from({ length: 190 }, (_, n) => `line ${n}\n`).join("");
  await step("keys", {
    "key.pem": key(12),
    "cut.pem": before + key(40),
    "long.txt": `${"x".repeat(480)} ${SECRET} ${SECRET}\n`,
  });
  await step("remove them", { "key.pem": null, "cut.pem": null });
  for (const format of ["markdown", "html"]) {
    const text = await exported("-f", format);
    expect([format, text.includes("MIIEvQ"), text.includes(SECRET.slice(0, 12))]).toEqual([format, false, false]);
  }
});

test("a part of a secret is left out, although its diff alone does not show that it is one", async () => {
  const { step, exported } = await made();
  const line = (n: number) => `${"MIIEvQIBADANBgkq".repeat(3)}${1e15 + n * 7919}`;
  const body = Array.from({ length: 30 }, (_, n) => line(n));
  const key = (lines: readonly string[]) =>
    `-----BEGIN PRIVATE KEY-----\n${lines.join("\n")}\n-----END PRIVATE KEY-----\nafter the key\n`;
  const password = "w8Jq2Lx7Rt5Zk3Vp";
  await step("make them", {
    "key.pem": key(body),
    "tail.pem": key(body),
    ".netrc": `machine example.com\n  login me\n  password ${password}\n`,
    "large.txt": `${"plain words ".repeat(100)}\n`.repeat(850),
  });
  await step("change them", {
    "key.pem": key(body.with(14, "changed")),
    "tail.pem": `${key(body)}one more\n`,
    "large.txt": `${`${"plain words ".repeat(100)}\n`.repeat(850)}one more\n`,
  });
  for (const format of ["markdown", "html"]) {
    const text = await exported("-f", format);
    expect([format, text.includes("MIIEvQ"), text.includes(password)]).toEqual([format, false, false]);
    expect(text).toContain(" … part of a secret left out");
    expect(text).toContain("+one more");
    expect(text).toMatch(/M large.txt +\+1 +diff left out: too large to check for secrets/);
  }
});

test("contents that are missing are named, and so is everything if the whole store is", async () => {
  const { home, exported } = await made();
  rmSync(join(home, "bough", "files"), { recursive: true });
  const text = await exported("-f", "markdown");
  expect(text).toContain("`M a.txt content not on this machine`");
});

test("a session that is exported or forked can still restore files: records are kept as they are", async () => {
  const { session, home, store, bough, at } = await made();
  const file = join(home, "part.jsonl");
  const [first] = session.getEntries();
  await bough("export-branch", `${session.getSessionId()}#${first?.id}`, "-o", file);
  const recordOf = (manager: SessionManager) =>
    manager.getEntries().find((entry) => entry.type === "custom" && entry.customType === FILES_TYPE);
  const part = SessionManager.open(file, undefined, { readOnly: true });
  expect(recordOf(part)).toEqual(recordOf(session));
  part.close();
  expect((await bough("restore-files", `${file}#${first?.id}`, "--conflicts", "take")).code).toBe(0);
  expect(readFileSync(at("a.txt"), "utf8")).toBe("one\n");
  const { session: copy } = JSON.parse(
    (await bough("fork", `${session.getSessionId()}#${session.getLeafId()}`, "--json")).stdout,
  );
  expect((await bough("diff", `${copy.id}#${first?.id}`, "#@", "--stat")).stdout).toContain("2 files changed");
  expect(readFileSync(join(store.folder, "sessions.json"), "utf8")).toContain(copy.path);
});
