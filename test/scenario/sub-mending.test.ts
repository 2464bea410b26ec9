/** Damage: found, explained, mended in a new file. And the doctor. */
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { verifySession } from "@bough/session/session/index.js";
import { describe, expect, test } from "vitest";
import { closeFolder, damage, makeSubPlace, runSub, type SubPlace } from "./sub-support.js";

function damaged(): { readonly place: SubPlace; readonly file: string; readonly bytes: Buffer } {
  const place = makeSubPlace();
  const file = join(place.sessions, "broken.jsonl");
  damage(file, readFileSync(place.demo, "utf8").replaceAll("bough-demo", "broken-one").trimEnd().split("\n"));
  return { place, file, bytes: readFileSync(file) };
}

describe("bough verify, in use", () => {
  test("names line, cause and effect of each damage, and ends with 3", async () => {
    const { place, file } = damaged();
    const { code, stdout } = await runSub(place, ["verify", file]);
    expect(code).toBe(3);
    expect(stdout).toMatch(/^ {2}damaged {2}line 4 {2}.+\(unreadable-line\)$/m);
    expect(stdout).toMatch(/\((torn-tail|unreadable-line|unreadable-entry)\)\n/);
    expect(stdout).toContain(`To recover what is readable: bough repair ${file}`);
    const json = await runSub(place, ["verify", file, "--json"]);
    expect(json.code).toBe(3);
    const { reports } = JSON.parse(json.stdout) as {
      reports: { ok: boolean; findings: { level: string; line: number }[] }[];
    };
    expect(reports[0]?.ok).toBe(false);
    expect(reports[0]?.findings).toContainEqual(
      expect.objectContaining({ level: "damage", line: 4, cause: expect.any(String), effect: expect.any(String) }),
    );
  });

  test("names repair only where something is left to keep", async () => {
    const { place } = damaged();
    const header = '{"type":"session","version":3,"id":"x","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/w"}';
    const files = {
      "lost.jsonl": "nothing of ours\n",
      "only-a-header.jsonl": `${header}\n{"type":"mess`,
      "later.jsonl": `${header.replace('"version":3', '"version":99')}\nnothing of ours\n`,
    };
    const said: string[] = [];
    for (const [name, text] of Object.entries(files)) {
      writeFileSync(join(place.sessions, name), text);
      const { code, stdout } = await runSub(place, ["verify", join(place.sessions, name)]);
      expect([name, code]).toEqual([name, 3]);
      said.push(stdout.trimEnd().split("\n").at(-1) ?? "");
    }
    expect(said).toEqual([
      "  Nothing in it is recoverable. Look for a backup, an export or a fork.",
      "  Nothing in it is recoverable. Look for a backup, an export or a fork.",
      "  It was written by a newer version. Update Bough to repair it.",
    ]);
  });

  test("--all looks at every session, those without a header too", async () => {
    const { place } = damaged();
    writeFileSync(join(place.sessions, "no-header.jsonl"), "nothing of ours\n");
    const { code, stdout } = await runSub(place, ["verify", "--all"]);
    expect(code).toBe(3);
    expect(stdout).toMatch(/4 sessions, 2 damaged\n$/);
  });

  test("sessions in order end with 0", async () => {
    const { code, stdout } = await runSub(makeSubPlace(), ["verify", "--all"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "2 sessions, none damaged\n" });
  });
});

describe("bough repair, in use", () => {
  test("writes a new file, proves what it kept, and leaves the original alone", async () => {
    const { place, file, bytes } = damaged();
    const { code, stdout } = await runSub(place, ["repair", file]);
    const made = file.replace(/\.jsonl$/, ".repaired.jsonl");
    expect(code).toBe(0);
    expect(stdout).toContain(`Wrote ${made}`);
    const [, found, readable] = /Verified: (\d+) of (\d+) readable entries are in the new file/.exec(stdout) ?? [];
    expect(found).toBe(readable);
    expect(Number(found)).toBe((await verifySession(file)).readable);
    expect(stdout).toMatch(/dropped: line 4, 18 bytes: /);
    expect(readFileSync(file).equals(bytes)).toBe(true);
    expect((await verifySession(made)).ok).toBe(true);
    expect((await runSub(place, ["verify", made])).code).toBe(0);
    const again = await runSub(place, ["repair", made]);
    expect(again.stdout).toBe(`Nothing to repair in ${made}\n`);
  });

  test("a file that is no session at all is refused", async () => {
    const place = makeSubPlace();
    const { code, stderr } = await runSub(place, ["repair", join(place.cwd, "notes.txt")]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^bough: .*notes\.txt contains no readable session data/);
  });
});

describe("bough doctor, in use", () => {
  test("finds damaged sessions, and ends with 3", async () => {
    const { place, file } = damaged();
    const { code, stdout } = await runSub(place, ["doctor"]);
    expect(code).toBe(3);
    expect(stdout).toContain(`error    ${file} is damaged: line 4`);
  });

  test("tells that a key is there and never what it is", async () => {
    const secret = "sk-not-to-be-seen-1234";
    const place = makeSubPlace({ ANTHROPIC_API_KEY: secret });
    const { stdout, stderr } = await runSub(place, ["doctor", "--json"]);
    expect(stdout + stderr).not.toContain(secret);
    expect(stdout).toContain("Keys set for anthropic");
  });

  test("names mistakes in the settings and folders it cannot read, and ends with 1", async () => {
    const place = makeSubPlace();
    writeFileSync(join(place.home, "settings.json"), '{"model": 7}');
    const settings = await runSub(place, ["doctor"]);
    expect(settings.code).toBe(1);
    expect(settings.stdout).toMatch(/error {4}.*settings\.json \(model\): Not used: expected text, found 7/);
    const closed = makeSubPlace();
    closeFolder(closed, closed.sessions);
    const folder = await runSub(closed, ["doctor"], { user: "nobody" });
    expect(folder.code).toBe(1);
    expect(folder.stdout).toContain(`Cannot read folder: ${closed.sessions}`);
  });

  test("goes on after links that lead to themselves and files in which nothing was saved", async () => {
    const place = makeSubPlace();
    const loops = [join(dirname(place.sessions), "loop"), join(place.sessions, "loop.jsonl")];
    for (const loop of loops) symlinkSync(loop, loop);
    writeFileSync(join(place.sessions, "empty.jsonl"), "", { mode: 0o600 });
    const { code, stdout, stderr } = await runSub(place, ["doctor"]);
    expect([code, stderr]).toEqual([1, ""]);
    expect(stdout).toContain(`Cannot read folder: ${loops[0]}\n           It is a link that leads to itself`);
    expect(stdout).toContain(`Cannot read session: ${loops[1]}\n           It is a link that leads to itself`);
    expect(stdout).toContain(`note     Nothing was saved in ${join(place.sessions, "empty.jsonl")}`);
    expect(stdout).toContain("Other agents");
  });
});
