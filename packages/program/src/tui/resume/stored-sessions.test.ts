import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { listAllSessions, SessionManager } from "@bough/session/session/index.js";
import { addStore, initStore, openStore, SyncStates, syncSession } from "@bough/workbench/store/index.js";
import { fetchStored, looksInStore, sessionsNotHere } from "@bough/workbench/store/internal.js";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { user } from "../../../../../test/support/messages.js";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { type ListApp, listApp, until } from "../list/screen-app.test-support.js";
import { openResume } from "./open-resume.js";

let home = "";
let dir = "";

beforeEach(() => {
  home = tempFolder();
  vi.stubEnv("BOUGH_HOME", home);
  dir = join(home, "sessions", "--project--");
  mkdirSync(dir, { recursive: true });
});

function localSession(): void {
  const session = SessionManager.create("/home/dev/parser", dir);
  session.appendMessage(user("wire the tokenizer into the CLI"));
  session.close();
}

function resumeApp(cwd: string): ListApp & { closed: Promise<void> } {
  const made = listApp({ home, sessionDir: dir, cwd });
  return { ...made, closed: openResume(made.app, { screen: "resume" }) };
}

describe("sessions that are only in the store", () => {
  /** A store with a session from another machine, in a checkout of the same project. */
  async function stored(options: { readonly away?: boolean } = {}) {
    const base = tempFolder();
    const address = join(base, "store");
    const cwd = join(base, "checkout");
    mkdirSync(cwd);
    execFileSync("git", ["init", "-q"], { cwd });
    execFileSync("git", ["remote", "add", "origin", "https://example.com/team/app.git"], { cwd });
    await initStore(address);
    const store = await openStore(address, { home: base, replica: { id: "0".repeat(16), name: "office laptop" } });
    const states = new SyncStates(base, address);
    const push = async (prompt: string, project: string) => {
      const session = SessionManager.create("/home/anna/app", join(base, "sessions"));
      session.appendMessage(user(prompt));
      session.close();
      const [sessionId, file] = [session.getSessionId(), session.getSessionFile() as string];
      await syncSession({ store, states, sessionId, file, about: { project, title: prompt } });
      return sessionId;
    };
    const id = await push("fix the lexer", "example.com/team/app");
    await push("something else", "example.com/team/other");
    addStore(home, { name: "home", address });
    if (options.away === true) renameSync(address, `${address}.away`);
    return { cwd, id, base };
  }

  const answered = (screen: string) => !/asking|eading|looking/.test(screen);

  it("are marked with their machine; Enter fetches one and opens it", async () => {
    localSession();
    const { cwd, id } = await stored();
    const { host, closed, session } = resumeApp(cwd);
    await until(host, answered);
    expect(host.screen).toMatch(/Sessions · 1 in this folder · ⇅ 1 in home/);
    expect(host.screen).toMatch(/fix the lexer +⇅ office laptop/);
    host.press("/");
    host.type("lexer");
    host.press("enter");
    for (const key of ["m", "x", "y"]) {
      host.press(key);
      expect(host.statusLine?.message).toBe("It is not on this machine yet. Enter fetches and opens it.");
    }
    host.press("enter");
    await closed;
    expect(session.getSessionId()).toBe(id);
    expect(session.getEntries().map((entry) => entry.type === "message" && entry.message.role)).toEqual(["user"]);
    expect(await listedIds()).toContain(id);
  });

  it("of other projects are listed with all folders", async () => {
    const { cwd } = await stored();
    const { host } = resumeApp(cwd);
    await until(host, (screen) => answered(screen) && screen.includes("fix the lexer"));
    expect(host.screen).not.toContain("something else");
    host.press("tab");
    await until(host, (screen) => answered(screen) && screen.includes("something else"));
    expect(host.screen).toContain("fix the lexer");
  });

  it("a store that cannot be reached is named, and the list is there", async () => {
    localSession();
    const { cwd } = await stored({ away: true });
    const { host } = resumeApp(cwd);
    await until(host, answered);
    expect(host.screen).toContain("wire the tokenizer");
    expect(host.statusLine?.message).toMatch(/^Sessions of other machines are not shown: .*store/);
  });

  it("stay away once they were deleted or archived here, and are not requested if syncing is off", async () => {
    const { cwd, id } = await stored();
    const { store, ...there } = await sessionsNotHere({ home, cwd }, "project");
    expect([store, there.sessions.map((one) => one.id)]).toEqual(["home", [id]]);
    const fetched = await fetchStored({ home, cwd, reference: id, rest: "now" });
    if (fetched.kind !== "fetched") throw new Error(`not fetched: ${fetched.kind}`);
    rmSync(fetched.file);
    expect((await sessionsNotHere({ home, cwd }, "project")).sessions).toEqual([]);
    expect(looksInStore(home)).toBe(true);
    writeFileSync(join(home, "settings.json"), '{"sync":"off"}');
    expect(looksInStore(home)).toBe(false);
  });

  async function listedIds(): Promise<readonly string[]> {
    return (await listAllSessions()).map(({ id }) => id);
  }
});
