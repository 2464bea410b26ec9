/** Exports: what is in them, what is not, and what is said about it. */
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SessionManager, verifySession } from "@bough/session/session/index.js";
import { describe, expect, test } from "vitest";
import { makeSubPlace, runSub, type SubPlace } from "./sub-support.js";

/** Made of parts, so that nothing that looks like a key stands in this file. */
const KEY = ["AKIA", "IOSFODNN7", "EXAMPLQ"].join("");
const OWN = ["correct", "horse", "battery9"].join("-");

/** A key in the output of a tool on an abandoned branch, and a value of the environment in a prompt. */
function placeWithSecrets(): SubPlace {
  const place = makeSubPlace({ DEPLOY_TOKEN: OWN });
  const session = SessionManager.create(place.cwd, place.sessions);
  session.newSession({ id: "leaky" });
  const first = session.appendMessage({ role: "user", content: `use ${OWN} in ${place.env.HOME}/x`, timestamp: 1 });
  session.appendMessage({ role: "user", content: `the key is ${KEY} and again ${KEY}`, timestamp: 2 });
  session.branch(first);
  session.appendMessage({ role: "user", content: "another way", timestamp: 3 });
  session.appendLabelChange(first, "start");
  session.close();
  return place;
}

/** Ids, parents, kinds and labels, in the order of the file. */
function shape(file: string): readonly unknown[] {
  const session = SessionManager.open(file, undefined, { readOnly: true });
  try {
    const entries = session.getEntries().map(({ id, parentId, type }) => [id, parentId, type, session.getLabel(id)]);
    return [session.getLeafId(), session.getSessionName(), ...entries];
  } finally {
    session.close();
  }
}

describe("bough export, in use", () => {
  test("everything as JSONL, opened again, is the same tree", async () => {
    const place = makeSubPlace();
    const { code } = await runSub(place, ["export", "bough-demo", "--scope", "all", "-o", "copy.jsonl"]);
    const copy = join(place.cwd, "copy.jsonl");
    expect(code).toBe(0);
    expect(shape(copy)).toEqual(shape(place.demo));
    expect((await verifySession(copy)).counts).toEqual((await verifySession(place.demo)).counts);
    expect((statSync(copy).mode & 0o777).toString(8)).toBe("600");
    const drawn = async (reference: string) => (await runSub(place, ["tree", reference, "--all-branches"])).stdout;
    expect(await drawn(copy)).toBe(await drawn(place.demo));
  });

  test("a session is never replaced by its own export, and no file is named after a secret", async () => {
    const place = placeWithSecrets();
    const file = SessionManager.open(place.demo, undefined, { readOnly: true }).getSessionFile() as string;
    const before = readFileSync(file, "utf8");
    const own = await runSub(place, ["export", "bough-demo", "--force", "-o", file]);
    expect({ code: own.code, stderr: own.stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining("is the session itself") as string,
    });
    expect(readFileSync(file, "utf8")).toBe(before);
    await runSub(place, ["rename", "leaky", `about ${KEY}`]);
    const named = await runSub(place, ["export", "leaky", "--format", "markdown"]);
    expect(named.code).toBe(0);
    expect(`${named.stdout}${named.stderr}`.toLowerCase()).not.toContain(KEY.toLowerCase());
    expect(existsSync(join(place.cwd, `about-${KEY.toLowerCase()}.md`))).toBe(false);
  });

  test("secrets of every branch are masked, named with their place, and never printed", async () => {
    const place = placeWithSecrets();
    const args = ["export", "leaky", "--scope", "all", "-o", "out.jsonl"];
    const { code, stdout, stderr } = await runSub(place, args);
    const written = readFileSync(join(place.cwd, "out.jsonl"), "utf8");
    expect(code).toBe(0);
    for (const text of [stdout, stderr, written]) {
      expect(text).not.toContain(KEY);
      expect(text).not.toContain(OWN);
    }
    expect(stderr).toMatch(/^2 values in it look like a secret:$/m);
    expect(stderr).toMatch(/^ {2}masked {2}1 {2}value of DEPLOY_TOKEN: prompt, line 1, entry [0-9a-f]{12}$/m);
    expect(stderr).toMatch(/^ {2}masked {2}2 {2}AWS access key id: prompt, line 1, entry [0-9a-f]{12}, 2 times$/m);
    expect(stdout).toMatch(/^ {2}masked in 3 places, the home folder written as ~ in \d places$/m);
    expect(written).toContain("in ~/x");
    expect((await verifySession(join(place.cwd, "out.jsonl"))).ok).toBe(true);
  });

  test.each(["html", "markdown"])("no secret is in the %s either", async (format) => {
    const place = placeWithSecrets();
    const file = join(place.cwd, "out.txt");
    const { code } = await runSub(place, ["export", "leaky", "-s", "all", "-f", format, "-o", file]);
    const written = readFileSync(file, "utf8");
    expect(code).toBe(0);
    expect([written.includes(KEY), written.includes(OWN), written.includes("another way")]).toEqual([
      false,
      false,
      true,
    ]);
  });

  test("--keep leaves one finding as it is, --no-redact all, and both are said", async () => {
    const place = placeWithSecrets();
    const out = async (...flags: string[]) => {
      const args = ["export", "leaky", "-s", "all", "-f", "jsonl", "-o", "-", ...flags];
      const { stdout, stderr } = await runSub(place, args);
      return { key: stdout.includes(KEY), own: stdout.includes(OWN), said: stderr.match(/^ {2}KEPT/gm)?.length ?? 0 };
    };
    expect(await out("--keep", "2")).toEqual({ key: true, own: false, said: 1 });
    expect(await out("--no-redact")).toEqual({ key: true, own: true, said: 2 });
    const { code, stderr } = await runSub(place, ["export", "leaky", "--keep", "9", "-o", "x.md"]);
    expect([code, existsSync(join(place.cwd, "x.md"))]).toEqual([2, false]);
    expect(stderr).toContain("bough: There is no finding 9");
  });

  test("a path has nothing of the other branches, a subtree nothing from above", async () => {
    const place = placeWithSecrets();
    const path = await runSub(place, ["export", "leaky", "-f", "markdown", "-o", "-"]);
    expect(path.stdout).toContain("another way");
    expect(path.stdout).not.toContain("the key is");
    const below = await runSub(place, ["export", "bough-demo#lexer", "-s", "subtree", "-f", "markdown", "-o", "-"]);
    expect(below.stdout).toContain("Benchmark both");
    expect(below.stdout).not.toContain("What is in this folder?");
  });

  test("--dry-run says what would leave, and writes nothing", async () => {
    const place = placeWithSecrets();
    const { code, stdout, stderr } = await runSub(place, ["export", "leaky", "--dry-run"]);
    expect(code).toBe(0);
    expect(stderr).toContain("every branch; 4 of 4 entries");
    expect(stdout).toMatch(/^Would write .* to .*\.html; nothing was written$/m);
    expect(existsSync(join(place.cwd, "session-leaky.html"))).toBe(false);
  });

  test("a file that is there stays, unless --force says otherwise; a folder always stays", async () => {
    const place = makeSubPlace();
    const file = join(place.cwd, "there.md");
    writeFileSync(file, "mine");
    const refused = await runSub(place, ["export", "bough-demo", "-o", "there.md"]);
    expect([refused.code, readFileSync(file, "utf8")]).toEqual([1, "mine"]);
    expect(refused.stderr).toContain("Choose another name with -o, or pass --force to overwrite.");
    expect((await runSub(place, ["export", "bough-demo", "-o", "there.md", "--force"])).code).toBe(0);
    expect(readFileSync(file, "utf8")).toMatch(/^# parser session\n/);
    mkdirSync(join(place.cwd, "folder"));
    expect((await runSub(place, ["export", "bough-demo", "-o", "folder", "--force"])).code).toBe(1);
  });

  test.skipIf(!existsSync("/proc/self"))("a place that takes no file is named in a sentence", async () => {
    const place = makeSubPlace();
    const said = async (...args: string[]) => {
      const { code, stderr } = await runSub(place, ["export", "bough-demo", ...args]);
      return [code, stderr.split("\n").find((line) => line.startsWith("bough: "))];
    };
    expect(await said("-o", "/proc/x.html")).toEqual([
      1,
      "bough: /proc/x.html was not written: its folder does not accept new files",
    ]);
    expect(await said("-o", "/proc/made/x.jsonl")).toEqual([
      1,
      "bough: /proc/made/x.jsonl was not written: its folder cannot be created",
    ]);
    expect(await said("-o", "/dev/null", "--force", "-f", "jsonl")).toEqual([
      1,
      "bough: Not a regular file: /dev/null",
    ]);
    expect(statSync("/dev/null").isCharacterDevice()).toBe(true);
  });

  test("outputs of tools and images can be left out, and are counted", async () => {
    const place = makeSubPlace();
    const args = ["export", "bough-demo", "-f", "markdown", "-o", "out.md", "--tools", "names", "--json"];
    const { stdout } = await runSub(place, args);
    const report = JSON.parse(stdout) as { leftOut: { toolOutputs: number } };
    expect(report.leftOut.toolOutputs).toBe(28);
    expect(readFileSync(join(place.cwd, "out.md"), "utf8")).not.toContain("12 passed");
  });

  test("an empty session has nothing to export", async () => {
    const place = makeSubPlace();
    const file = join(place.cwd, "empty.jsonl");
    writeFileSync(
      file,
      '{"type":"session","version":3,"id":"empty","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/w"}\n',
    );
    const { code, stderr } = await runSub(place, ["export", file, "-o", "x.md"]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^bough: Nothing to export there\n/);
  });
});

describe("bough export-branch, in use", () => {
  test("makes a valid session of an entry and what hangs below, labels included", async () => {
    const place = makeSubPlace();
    const { code } = await runSub(place, ["export-branch", "bough-demo#tokenizer", "-o", "part.jsonl"]);
    const part = join(place.cwd, "part.jsonl");
    expect([code, (await verifySession(part)).ok]).toEqual([0, true]);
    const { stdout } = await runSub(place, ["tree", part, "--json"]);
    const { rows } = JSON.parse(stdout) as { rows: { text: string; labels: string[]; kind: string }[] };
    expect(rows[0]).toMatchObject({ text: expect.stringMatching(/^Generate a tokenizer/), labels: ["tokenizer"] });
    // It opens where the session stood, which is below the entry.
    expect(rows.map(({ text }) => text)).toContain("Write that down in the README");
  });
});
