import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { SessionManager } from "@bough/session/session/index.js";
import { describe, expect, it, vi } from "vitest";
import { afterTest } from "../../../../../../test/support/after-test.js";
import { tempFolder } from "../../../../../../test/support/temp-folder.js";
import { runCommand } from "../import/run-command.test-support.js";

/** Two machines, each with a folder that is not a repository, and a shared store. */
function machines() {
  const base = tempFolder();
  afterTest(() => vi.unstubAllEnvs());
  return (name: string) => {
    const [cwd, home] = [join(base, name, "notes"), join(base, name, "home")];
    mkdirSync(cwd, { recursive: true });
    const bough = (...args: string[]) => {
      vi.stubEnv("BOUGH_HOME", home);
      return runCommand({ cwd }, args);
    };
    const prompt = (text: string) => {
      vi.stubEnv("BOUGH_HOME", home);
      const session = SessionManager.continueRecent(cwd);
      session.appendMessage({ role: "user", content: text, timestamp: 1 });
      session.close();
    };
    return { bough, prompt, add: () => bough("store", "add", "home", join(base, "store")) };
  };
}

describe("bough sync --project", () => {
  it("is given once: later syncs know the name", async () => {
    const machine = machines();
    const [laptop, desktop] = [machine("laptop"), machine("desktop")];
    laptop.prompt("first");
    await laptop.add();
    await desktop.add();
    expect(JSON.parse((await laptop.bough("sync", "--project", "notes", "--dry-run", "--json")).stdout)).toMatchObject({
      project: "notes",
    });
    expect(JSON.parse((await laptop.bough("sync", "--dry-run", "--json")).stdout)).toMatchObject({ project: null });
    expect((await laptop.bough("sync", "--project", "notes")).stdout).toContain("pushed");
    laptop.prompt("second");
    expect(JSON.parse((await laptop.bough("sync", "--json")).stdout)).toMatchObject({
      project: "notes",
      synced: [{ pushed: 1 }],
    });
    await desktop.bough("sync", "--project", "notes");
    laptop.prompt("third");
    await laptop.bough("sync");
    expect((await desktop.bough("sync")).stdout).toContain("1 pulled");
    expect(JSON.parse((await desktop.bough("ls", "--store", "--json")).stdout)).toMatchObject({
      project: "notes",
      sessions: [{ project: "notes", title: "first" }],
    });
  });

  it("is not given to what came from other projects, however often everything is synced", async () => {
    const machine = machines();
    const [laptop, desktop] = [machine("laptop"), machine("desktop")];
    laptop.prompt("first");
    await laptop.add();
    await desktop.add();
    const projects = async () => {
      const { sessions } = JSON.parse((await laptop.bough("ls", "--store", "--all", "--json")).stdout);
      return sessions.map(({ project }: { readonly project?: string | null }) => project ?? null);
    };
    for (const [given, there] of [
      [[], null],
      [["--project", "recipes"], "recipes"],
    ] as const) {
      await laptop.bough("sync", ...given);
      await desktop.bough("sync", "--all", "--project", "notes");
      await desktop.bough("sync", "--all");
      expect(await projects()).toEqual([there]);
      // Even if it was continued here: then there is something to push.
      desktop.prompt(`more for ${there}`);
      await desktop.bough("sync", "--all");
      await desktop.bough("sync", "--all");
      expect(await projects()).toEqual([there]);
    }
  });

  it("takes along what was synced before the folder had a name", async () => {
    const machine = machines();
    const [laptop, desktop] = [machine("laptop"), machine("desktop")];
    laptop.prompt("first");
    await laptop.add();
    await desktop.add();
    const nameless = (await laptop.bough("sync")).stdout;
    expect(nameless).toContain(
      "Synced 1 session with home.\nThis folder has no git remote, so other machines cannot tell",
    );
    expect(nameless).toContain("To give it a name: bough sync --project <name>\n");
    expect((await laptop.bough("sync", "--project", "shop", "--dry-run")).stdout).toContain(
      "Would move 1 session to shop.",
    );
    expect((await laptop.bough("sync", "--project", "shop")).stdout).toBe("Moved 1 session to shop.\n");
    expect((await laptop.bough("sync", "--project", "shop")).stdout).toBe(
      "Nothing to sync with home. 1 session unchanged.\n",
    );
    expect((await desktop.bough("sync", "--project", "shop")).stdout).toContain("1 pulled");
  });

  it("moves sessions from one name to another, and says where else that has to be done", async () => {
    const machine = machines();
    const [laptop, desktop] = [machine("laptop"), machine("desktop")];
    laptop.prompt("first");
    await laptop.add();
    await laptop.bough("sync", "--project", "notes");
    expect(JSON.parse((await laptop.bough("sync", "--project", "shop", "--json")).stdout)).toMatchObject({
      ...{ project: "shop", synced: [], unchanged: 0, moved: 1, notMoved: 0 },
    });
    await desktop.add();
    await desktop.bough("sync", "--project", "shop");
    desktop.prompt("second");
    await desktop.bough("sync");
    const renames = [
      await laptop.bough("sync", "--project", "garden"),
      await desktop.bough("sync", "--project", "garden"),
    ];
    // Which machine's name is seen first is random; the second sync settles it.
    expect(renames[0]?.stdout).toMatch(
      /Moved 1 session to garden\.|1 session not moved to garden: another machine still uses another name\. Run this there too: bough sync --project garden\n/,
    );
    expect(JSON.parse((await laptop.bough("ls", "--store", "--json")).stdout)).toMatchObject({
      sessions: [{ project: "garden" }],
    });
  });

  it("takes an address without its password", async () => {
    const laptop = machines()("laptop");
    laptop.prompt("first");
    await laptop.add();
    const synced = await laptop.bough("sync", "--project", "https://me:hush@example.com/team/app.git", "--json");
    expect(JSON.parse(synced.stdout)).toMatchObject({ project: "example.com/team/app" });
    expect((await laptop.bough("ls", "--store", "--json")).stdout).not.toContain("hush");
  });
});
