/** Files in another program's folder are only read, however they are named. */
import { copyFileSync, linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { SessionManager, sessionFolder } from "@bough/session/session/index.js";
import { describe, expect, test } from "vitest";
import { AGENT_IDS } from "../../../../../../test/support/agents-home.js";
import { fingerprint } from "../../../../../../test/support/fingerprint.js";
import { openSession } from "../../start/open-session.js";
import { type AgentsPlace, agentsPlace, runCommand } from "./run-command.test-support.js";

const pi = ({ home }: AgentsPlace) => fingerprint(join(home, ".pi"));

/** Every way to refer to pi's session. */
function names(place: AgentsPlace): readonly string[] {
  const file = place.transcripts.pi;
  const [link, hard] = [join(place.home, "link.jsonl"), join(place.home, "hard.jsonl")];
  symlinkSync(file, link);
  linkSync(file, hard);
  const listed = join(sessionFolder(place.cwd), basename(file));
  mkdirSync(dirname(listed), { recursive: true });
  symlinkSync(file, listed);
  return [file, relative(process.cwd(), file), link, hard, listed, AGENT_IDS.pi, `pi:${AGENT_IDS.pi}`];
}

const REFUSED = "That session belongs to pi, and Bough does not modify it";

describe("a session in pi's folder", () => {
  test.each([
    [["rename", "<name>", "mine"]],
    [["label", "<name>#@", "good"]],
    [["archive", "<name>", "--yes"]],
    [["fork", "<name>"]],
    [["repair", "<name>"]],
  ])("is not changed by %j, under any of its names", async (command) => {
    const place = agentsPlace();
    const all = names(place);
    const before = pi(place);
    for (const name of all) {
      const end = await runCommand(
        place,
        command.map((word) => word.replace("<name>", name)),
      );
      expect([name, end.code, end.stderr]).toEqual([name, 1, expect.stringContaining(REFUSED)]);
      expect(end.stderr).toContain("bough import");
    }
    expect(pi(place)).toEqual(before);
  });

  test("is not changed where its folder is given as --session-dir", async () => {
    const place = agentsPlace();
    const dir = dirname(place.transcripts.pi);
    const before = pi(place);
    const end = await runCommand(place, ["label", "#@", "good", "--session-dir", dir]);
    expect([end.code, end.stderr]).toEqual([1, expect.stringContaining(REFUSED)]);
    for (const choice of [{ kind: "new" }, { kind: "continue" }, { kind: "id", id: AGENT_IDS.pi }] as const) {
      await expect(openSession(choice, { cwd: place.cwd, dir })).rejects.toMatchObject({ code: "read-only" });
    }
    expect(pi(place)).toEqual(before);
  });

  test("is not opened for work under any of its names, nor is an old version of it upgraded", async () => {
    const place = agentsPlace();
    const old = join(dirname(place.transcripts.pi), "old.jsonl");
    const time = "2025-11-01T10:00:00.000Z";
    writeFileSync(
      old,
      [
        { type: "session", id: "old-one", timestamp: time, cwd: place.cwd },
        { type: "message", timestamp: time, message: { role: "user", content: "hello", timestamp: 1 } },
      ]
        .map((line) => `${JSON.stringify(line)}\n`)
        .join(""),
    );
    const all = [...names(place), old];
    const before = pi(place);
    for (const reference of all) {
      for (const kind of ["open", "fork"] as const) {
        await expect(openSession({ kind, reference }, { cwd: place.cwd })).rejects.toMatchObject({
          code: "read-only",
          hint: expect.stringContaining("bough import"),
        });
      }
    }
    await expect(openSession({ kind: "continue" }, { cwd: place.cwd })).rejects.toMatchObject({ code: "read-only" });
    expect(pi(place)).toEqual(before);
  });

  test("is imported where the person wants to work with it, at the entry that was named, and is asked about first", async () => {
    const place = agentsPlace();
    const before = pi(place);
    const looked = SessionManager.open(place.transcripts.pi, undefined, { readOnly: true });
    const [first] = looked.getBranchIds();
    looked.close();
    const reference = `${place.transcripts.pi}#${first}`;
    const asked: string[] = [];
    const answering = (answer: "import" | "cancel") => ({
      cwd: place.cwd,
      askImport: async (found: { readonly reference: string }) => {
        asked.push(found.reference);
        return answer;
      },
    });
    await expect(openSession({ kind: "open", reference }, answering("cancel"))).rejects.toMatchObject({
      code: "not-opened",
    });
    const session = await openSession({ kind: "open", reference }, answering("import"));
    expect(asked).toEqual([place.transcripts.pi, place.transcripts.pi]);
    expect([session.getLeafId(), dirname(session.getSessionFile() ?? "")]).toEqual([first, sessionFolder(place.cwd)]);
    session.appendSessionInfo("mine");
    session.close();
    expect(pi(place)).toEqual(before);
  });

  test("can be viewed by path and by id, and verified", async () => {
    const place = agentsPlace();
    const before = pi(place);
    for (const name of [place.transcripts.pi, `pi:${AGENT_IDS.pi}`]) {
      expect(await runCommand(place, ["show", name])).toMatchObject({ code: 0, stderr: "" });
      expect(await runCommand(place, ["verify", name])).toMatchObject({ code: 0, stderr: "" });
    }
    expect(pi(place)).toEqual(before);
  });
});

describe("a file of pi's anywhere else", () => {
  test("is used in place, by the commands and by the library", async () => {
    const place = agentsPlace();
    const file = join(place.home, "copy.jsonl");
    copyFileSync(place.transcripts.pi, file);
    expect(await runCommand(place, ["rename", file, "mine"])).toMatchObject({ code: 0, stderr: "" });
    expect(readFileSync(file, "utf8")).toContain('"name":"mine"');
    const session = SessionManager.open(file);
    session.appendSessionInfo("yours");
    session.close();
    expect(readFileSync(file, "utf8")).toContain('"name":"yours"');
  });
});
