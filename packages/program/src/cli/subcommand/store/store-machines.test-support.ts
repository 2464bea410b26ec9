/** Machines with a checkout of the same project each, at different paths, and an address that all can use as a store. */
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { SessionManager } from "@bough/session/session/index.js";
import { vi } from "vitest";
import { afterTest } from "../../../../../../test/support/after-test.js";
import { tempFolder } from "../../../../../../test/support/temp-folder.js";
import { runCommand } from "../import/run-command.test-support.js";

export function storeMachines(kind: "folder" | "git" = "folder") {
  const base = tempFolder();
  const store = join(base, kind === "git" ? "store.git" : "store");
  if (kind === "git") execFileSync("git", ["init", "-q", "--bare", store]);
  afterTest(() => vi.unstubAllEnvs());
  const machine = (name: string) => {
    const cwd = join(base, name, "project");
    mkdirSync(cwd, { recursive: true });
    execFileSync("git", ["init", "-q"], { cwd });
    execFileSync("git", ["remote", "add", "origin", `https://${name}@example.com/team/app.git`], { cwd });
    const home = join(base, name, "home");
    const bough = (...args: string[]) => {
      vi.stubEnv("BOUGH_HOME", home);
      return runCommand({ cwd }, args);
    };
    const say = (text: string, open: (cwd: string) => SessionManager) => {
      vi.stubEnv("BOUGH_HOME", home);
      const session = open(cwd);
      session.appendMessage({ role: "user", content: text, timestamp: 1 });
      session.close();
      return session;
    };
    return {
      cwd,
      home,
      bough,
      /** In the most recent session. */
      prompt: (text: string) => say(text, (folder) => SessionManager.continueRecent(folder)),
      /** In a session of its own. Returns its ID. */
      begin: (text: string) => say(text, (folder) => SessionManager.create(folder)).getSessionId(),
    };
  };
  return { store, machine };
}
