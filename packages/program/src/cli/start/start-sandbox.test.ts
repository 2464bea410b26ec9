import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { EventHub } from "@bough/agent/agent/internal.js";
import { SANDBOX_CHOICES } from "@bough/agent/project/index.js";
import { createPermissions } from "@bough/agent/tool/index.js";
import { describe, expect, test, vi } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { ruleKeepers } from "./rule-keeper.js";
import { commandSandbox, sandboxedModes, socketPaths } from "./start-sandbox.js";

describe("which modes are sandboxed", () => {
  test.each([
    ["auto", "auto"],
    ["on", "always"],
    ["off", "never"],
  ] as const)(
    "with %s as the default: %s, unless a setting or the command line says otherwise",
    (standard, expected) => {
      expect(sandboxedModes({ flag: undefined, setting: undefined, standard })).toBe(expected);
      for (const choice of SANDBOX_CHOICES) {
        const same = { flag: undefined, setting: choice, standard: choice };
        expect(sandboxedModes({ flag: undefined, setting: choice, standard })).toBe(sandboxedModes(same));
        expect(sandboxedModes({ flag: choice, setting: "off", standard })).toBe(sandboxedModes(same));
      }
    },
  );
});

test("the sandbox is started when it is first needed, and a failure is reported once", async () => {
  const cwd = "/";
  const relay = new EventHub({ keeps: "everything" });
  const notices: string[] = [];
  relay.subscribe((event) => {
    if (event.type === "notice") notices.push(event.message);
  });
  const permissions = createPermissions({ mode: "ask", cwd });
  const options = { cwd, home: tempFolder(), relay, sockets: undefined, permissions: () => permissions };
  const sandbox = commandSandbox(options);
  await sandbox.close();
  expect([sandbox.state, notices]).toEqual([undefined, []]);
  const states = [await sandbox.ready(), await sandbox.ready()];
  expect([states.map(({ kind }) => kind), sandbox.state?.kind, notices]).toEqual([
    ["unavailable", "unavailable"],
    "unavailable",
    ["Not sandboxed: the working directory is /."],
  ]);
  await expect(sandbox.wrap("true", { callId: "a", signal: new AbortController().signal })).rejects.toThrow();
  await sandbox.close();
});

test("sockets in settings may start at the home", () => {
  vi.stubEnv("HOME", "/home/me");
  expect(socketPaths(["~/a.sock", "/run/b.sock"])).toEqual(["/home/me/a.sock", "/run/b.sock"]);
  vi.unstubAllEnvs();
});

test("a rule for every project is kept in the user's own settings, and announced", () => {
  const home = join(tempFolder(), "home");
  vi.stubEnv("BOUGH_HOME", home);
  const relay = new EventHub({ keeps: "everything" });
  const notices: string[] = [];
  relay.subscribe((event) => {
    if (event.type === "notice") notices.push(event.message);
  });
  const { everywhere } = ruleKeepers("/nowhere", relay);
  const file = join(home, "settings.json");
  expect(everywhere(["unsandboxed(a)"], "the command a")).toEqual({ kind: "user", file });
  everywhere(["unsandboxed(a)", "unsandboxed(b)"], "the command b");
  vi.unstubAllEnvs();
  expect([JSON.parse(readFileSync(file, "utf8")), statSync(file).mode & 0o077, notices[0]]).toEqual([
    { permissions: { allow: ["unsandboxed(a)", "unsandboxed(b)"] } },
    0,
    `Always allowed in every project: the command a. Saved in ${file}.`,
  ]);
});

test("a rule that cannot be saved allows this once, and says so", () => {
  vi.stubEnv("BOUGH_HOME", "/dev/null/home");
  const relay = new EventHub({ keeps: "everything" });
  const notices: string[] = [];
  relay.subscribe((event) => {
    if (event.type === "notice") notices.push(event.message);
  });
  expect(ruleKeepers("/nowhere", relay).everywhere(["unsandboxed(a)"], "the command a")).toBeUndefined();
  vi.unstubAllEnvs();
  expect(notices).toEqual([expect.stringMatching(/^Allowed once; the rule was not saved: .+/)]);
});
