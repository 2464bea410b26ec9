import { readdirSync, readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { runCommand } from "../import/run-command.test-support.js";
import { storeMachines } from "./store-machines.test-support.js";

function machines(kind: "folder" | "git") {
  const { store, machine } = storeMachines(kind);
  const texts = () =>
    readdirSync(store, { recursive: true, withFileTypes: true })
      .filter((item) => item.isFile())
      .map((item) => readFileSync(join(item.parentPath, item.name), "utf8"))
      .join("");
  return { store, machine, texts };
}

describe.each(["folder", "git"] as const)("removing sessions from a %s", (kind) => {
  it("removes a session for every machine, and no sync of another one brings it back unasked", async () => {
    const { store, machine, texts } = machines(kind);
    const [laptop, desktop] = [machine("laptop"), machine("desktop")];
    const id = laptop.begin("the birch is ill");
    const kept = laptop.begin("the oak is fine");
    for (const one of [laptop, desktop]) {
      await one.bough("store", "add", "home", store);
      await one.bough("sync");
    }
    expect(await laptop.bough("store", "remove", id)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--yes"),
    });
    expect(JSON.parse((await laptop.bough("store", "remove", id, "--dry-run", "--json")).stdout)).toMatchObject({
      dryRun: true,
      removed: [{ id, title: "the birch is ill" }],
    });
    const removed = await laptop.bough("store", "remove", id, "--yes");
    expect(removed).toMatchObject({ code: 0, stdout: expect.stringContaining("Removed 1 session from home.") });
    // The history of a git remote is not rewritten, and that is said.
    if (kind === "git") expect(removed.stdout).toContain("The history of the remote still has their entries.");
    else expect(texts()).not.toContain("birch");
    for (const one of [laptop, desktop]) {
      const synced = await one.bough("sync");
      expect(synced.stdout).toContain("removed from the store and kept here");
      expect((await one.bough("ls", "--store")).stdout).not.toContain(id);
      expect((await one.bough("show", id)).stdout).toContain("birch");
    }
    expect((await desktop.bough("ls", "--store")).stdout).toContain(kept);
    expect((await desktop.bough("store", "remove", id, "--yes")).stderr).toContain("Not in home");
    expect((await desktop.bough("sync", id, "--again")).stdout).toContain("pushed");
    expect((await laptop.bough("ls", "--store")).stdout).toContain(id);
  });

  it("prunes what nobody pushed to for some time, of this project, and never what is newer", async () => {
    const { store, machine } = machines(kind);
    const laptop = machine("laptop");
    const id = laptop.begin("the birch is ill");
    await laptop.bough("store", "add", "home", store);
    await laptop.bough("sync");
    expect((await laptop.bough("store", "prune", "--older-than", "1d", "--yes")).stdout).toBe(
      "Nothing to remove from home.\n",
    );
    expect((await laptop.bough("store", "prune", "--older-than", "1h", "--project", "other", "--yes")).stdout).toBe(
      "Nothing to remove from home.\n",
    );
    const later = () => new Date(Date.now() + 3 * 86_400_000);
    const prune = (...args: string[]) => {
      vi.stubEnv("BOUGH_HOME", laptop.home);
      return runCommand({ cwd: laptop.cwd }, ["store", "prune", "--older-than", "2d", ...args], { now: later });
    };
    expect((await prune("--dry-run")).stdout).toContain("Would remove 1 session from home.");
    expect((await prune()).stderr).toContain("--yes");
    expect(JSON.parse((await prune("--yes", "--json")).stdout)).toMatchObject({ removed: [{ id }], changed: [] });
    expect((await prune("--yes")).stdout).toBe("Nothing to remove from home.\n");
  });
});

describe("bough store", () => {
  it("takes the time of a folder's files for the age of a session", async () => {
    const { store, machine } = machines("folder");
    const laptop = machine("laptop");
    const [old, young] = [laptop.begin("old"), laptop.begin("young")];
    await laptop.bough("store", "add", "home", store);
    await laptop.bough("sync");
    const then = Date.now() / 1_000 - 100 * 86_400;
    const folder = join(store, "sessions", old);
    for (const name of readdirSync(folder)) utimesSync(join(folder, name), then, then);
    const { removed } = JSON.parse(
      (await laptop.bough("store", "prune", "--older-than", "90d", "--yes", "--json")).stdout,
    );
    expect(removed.map((one: { id: string }) => one.id)).toEqual([old]);
    expect((await laptop.bough("ls", "--store")).stdout).toContain(young);
  });

  it("says what is wrong with a command before it removes anything", async () => {
    const { store, machine } = machines("folder");
    const laptop = machine("laptop");
    laptop.begin("old");
    await laptop.bough("store", "add", "home", store);
    await laptop.bough("sync");
    const refused = async (...args: string[]) => {
      const { code, stderr } = await laptop.bough("store", ...args, "--yes");
      expect(code).toBe(2);
      return stderr;
    };
    expect(await refused("remove", "home")).toContain("bough store forget home");
    expect(await refused("remove")).toContain("Which session?");
    expect(await refused("prune")).toContain("--older-than");
    for (const age of ["90", "0d", "3m", "-1d", "1e3d"])
      expect(await refused("prune", `--older-than=${age}`)).toContain("Not an age");
    expect(await refused("prune", "--older-than", "1d", "--all", "--project", "x")).toContain(
      "either --all or --project",
    );
    expect((await laptop.bough("store", "forget", "home", "--dry-run")).stderr).toContain("does not take --dry-run");
    expect((await laptop.bough("store", "users")).stderr).toMatch(/only PostgreSQL has roles/);
    expect((await laptop.bough("store", "log")).stderr).toMatch(/only PostgreSQL has roles/);
    expect((await laptop.bough("store", "forget", "home")).stdout).toBe("Forgot home. What is in it stays there.\n");
  });
});
