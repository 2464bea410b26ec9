import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type AgentsHome, layOutAgents } from "../../../../../test/support/agents-home.js";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { type ListApp, type ListAppOptions, listApp, until } from "../list/screen-app.test-support.js";
import { withProgress } from "../questions/with-progress.js";
import { openImport, openResume } from "./open-resume.js";

let before: string | undefined;
let home = "";

beforeEach(() => {
  before = process.env.BOUGH_HOME;
  home = tempFolder();
  process.env.BOUGH_HOME = home;
});

afterEach(() => {
  if (before === undefined) delete process.env.BOUGH_HOME;
  else process.env.BOUGH_HOME = before;
});

interface Opened extends ListApp {
  readonly closed: Promise<void>;
  readonly files: AgentsHome;
}

async function importApp(options: ListAppOptions & { readonly search?: string } = {}): Promise<Opened> {
  const cwd = join(home, "project");
  mkdirSync(cwd);
  const files = layOutAgents({ home, cwd });
  const made = listApp({ home, cwd, sessionDir: join(home, "own"), height: 16, width: 100, ...options });
  const { search } = options;
  const closed = openImport(made.app, { screen: "import", search });
  await until(made.host, (screen) => /9 from other agents/.test(screen) && !/ooking/.test(screen));
  return { ...made, closed, files };
}

describe("the list of other agents' sessions", () => {
  it("says that it is searching, then shows agent, title and size of each session", async () => {
    const cwd = join(home, "project");
    layOutAgents({ home, cwd });
    const made = listApp({ home, cwd, height: 16, width: 100 });
    void openImport(made.app, { screen: "import" });
    expect(made.host.screen).toContain("Looking for other agents' sessions…");
    await until(made.host, (screen) => /9 from other agents/.test(screen) && !/ooking/.test(screen));
    for (const agent of ["claude-code", "codex", "gemini", "opencode", "pi"]) {
      expect(made.host.screen).toMatch(new RegExp(`^ . ${agent} +\\S.* [KM]?B +\\w+$`, "m"));
    }
    expect(made.host.lines.at(-1)).toContain("Enter import   Tab the archive");
    expect(made.host.lines[2]).toMatch(/^ ❯/);
  });

  it("is one Tab further than all folders, and searches by agent, title and folder", async () => {
    const { host, closed } = await importApp();
    host.press("/");
    host.type("gemini");
    expect(host.lines[0]).toContain("2 of 9 from other agents");
    host.press("enter", "esc", "esc");
    await closed;
    const made = listApp({ home, sessionDir: join(home, "own"), height: 16, width: 100 });
    void openResume(made.app, { screen: "resume" });
    made.host.press("tab", "tab");
    await until(made.host, (screen) => /9 from other agents/.test(screen));
  });

  it("starts with the given words", async () => {
    const { host } = await importApp({ search: "codex" });
    expect(host.lines[0]).toContain("1 of 9 from other agents");
  });

  it("imports with Enter and goes there", async () => {
    const { host, closed, session, context } = await importApp({ search: "codex" });
    host.press("enter");
    await closed;
    expect(session.getHeader()).toMatchObject({ importedFrom: { agent: "codex" } });
    expect(session.getSessionFile()?.startsWith(context.sessionDir)).toBe(true);
    expect(host.statusLine?.message).toMatch(/^Imported \d+ turns?.*Opened "/);
  });

  it("says why a session of another agent is neither renamed nor archived", async () => {
    const { host } = await importApp();
    host.press("m");
    expect(host.statusLine?.message).toBe("It is another agent's. Enter imports it so you can rename it.");
    host.press("x");
    expect(host.statusLine?.message).toBe("Another agent's sessions cannot be archived.");
  });

  it("stays open where the import fails, and says why", async () => {
    const { host, files, session } = await importApp({ search: "codex" });
    const file = session.getSessionFile();
    for (const path of Object.values(files)) rmSync(path);
    host.press("enter");
    await until(host, () => host.statusLine !== undefined);
    expect(host.statusLine?.level).toBe("error");
    expect([host.top?.name, session.getSessionFile()]).toEqual(["resume", file]);
  });

  it("stays open where the import is stopped with Esc", async () => {
    const made = await importApp({ search: "codex" });
    const { host, session } = made;
    const file = session.getSessionFile();
    Object.assign(made.context.front, {
      watch: (work: Parameters<typeof withProgress>[1]) => {
        // Esc is pressed before the work starts, which checks its signal first.
        const stopped = withProgress(host, work);
        host.press("esc");
        return stopped;
      },
    });
    host.press("enter");
    await until(host, () => host.statusLine !== undefined);
    expect([host.statusLine?.message, host.top?.name]).toEqual(["Import cancelled.", "resume"]);
    expect(session.getSessionFile()).toBe(file);
  });
});
