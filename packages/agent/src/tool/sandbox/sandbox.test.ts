import { execFile } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { homedir, tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { isInside } from "@bough/session/log/index.js";
import { shellWord } from "@bough/session/text/index.js";
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { afterTest } from "../../../../../test/support/after-test.js";
import { isOnPath } from "../../../../../test/support/missing-tools.js";
import { createPermissions } from "../permission/permissions.js";
import { parseRule, type Rule } from "../permission/rule/rule.js";
import { commandShell } from "../process/command-shell.js";
import type { ToolResult } from "../tool.js";
import { workshop } from "../tool-context.test-support.js";
import { ExistingMatches } from "./existing-matches.js";
import { openSandbox } from "./open-sandbox.js";
import type { HostRequest, OpenSandboxOptions, Sandbox, SandboxStatus } from "./sandbox.js";
import { rulePaths } from "./sandbox-paths.js";

const rule = (effect: Rule["effect"], text: string): Rule => parseRule(text, { effect, source: { kind: "user" } });

/** Not in a temporary folder, where the checkout may be: those can be written from inside. */
const open = [realpathSync(tmpdir()), realpathSync("/tmp")];
const places = [join(process.cwd(), "node_modules"), homedir()];
const outside = places.find((place) => !open.some((folder) => isInside(folder, realpathSync(place))));
const away = realpathSync(mkdtempSync(join(outside ?? tmpdir(), ".bough-sandbox-test-")));
afterAll(() => rmSync(away, { recursive: true, force: true }));

const opened: Sandbox[] = [];
const sandboxIn = (cwd: string, options: Partial<OpenSandboxOptions> = {}): Sandbox => {
  const sandbox = openSandbox({ cwd, home: join(away, "home"), allowHost: async () => false, ...options });
  opened.push(sandbox);
  return sandbox;
};
afterEach(async () => {
  for (const sandbox of opened.splice(0)) await sandbox.close();
});

/** Sockets of tests beside this one may disappear while a sandbox is set up; only the tool tries again. */
const DISTURBED = { retry: 5 };

/** Of this process, where sockets of proxies are until the command has them. */
const sandboxFolders = (): readonly string[] =>
  readdirSync("/tmp").filter((name) => name.startsWith(`bough-sandbox-${process.pid}-`));

const probe = sandboxIn(away);
const here = await probe.ready();
await probe.close();
const runs = here.kind === "on" && outside !== undefined;
const nowhere = ` (cannot run here: ${places.join(" and ")} are temporary folders)`;
const why = here.kind === "on" ? (runs ? "" : nowhere) : ` (cannot run here: ${here.reason}. ${here.fix})`;

test("the sandbox works here, or says why not and what to do", () => {
  if (here.kind === "on") expect(here).toEqual({ kind: "on" });
  else expect([here.reason.length > 3, here.fix.length > 3]).toEqual([true, true]);
});

describe.runIf(runs)(`a command in the sandbox${why}`, () => {
  // A sandbox has a /dev of its own: what is in memory there outside of it is not inside.
  beforeEach(() => void vi.stubEnv("TMPDIR", "/tmp"));
  const inside = async (options: Partial<OpenSandboxOptions> = {}) => {
    const shop = workshop();
    const home = join(away, `home-${basename(dirname(shop.cwd))}`);
    const sandbox = sandboxIn(shop.cwd, { home, ...options });
    const run = async (command: string, call: Parameters<typeof shop.call>[2] = {}): Promise<ToolResult> =>
      shop.call("bash", { command }, { ...call, tools: { bash: { sandbox, killGraceMs: 200 } } });
    const said = async (command: string): Promise<string> =>
      (await run(command)).content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
    return { ...shop, home, sandbox, run, said };
  };

  test("writes in the working directory and in temporary folders, and nowhere else", async () => {
    const { cwd, said } = await inside();
    expect(
      await said(
        'echo in > a.txt; echo tmp > "$TMPDIR/bough-sandbox-$$" && rm "$TMPDIR/bough-sandbox-$$"; mktemp -u >/dev/null; cat a.txt',
      ),
    ).toBe("in");
    const text = await said(`echo out > ${shellWord(away)}/out.txt; rm -rf ${shellWord(away)}/kept; echo done`);
    expect(text).toContain("Read-only file system");
    expect([existsSync(join(away, "out.txt")), readFileSync(join(cwd, "a.txt"), "utf8")]).toEqual([false, "in\n"]);
  });

  test("does not keep rules for the next start, or hooks that run later: they are moved, and can be put back", async () => {
    const { cwd, said, sandbox, home } = await inside();
    mkdirSync(join(cwd, ".git", "hooks"), { recursive: true });
    expect(await said("mkdir -p .bough; echo '{}' > .bough/settings.local.json")).toContain(
      "can decide what runs later",
    );
    await said("echo x > .git/hooks/pre-commit; rm -rf .git/hooks; mv .git/hooks .git/h; mv .git g");
    expect([readdirSync(cwd), readdirSync(join(cwd, ".git")), readdirSync(join(cwd, ".git", "hooks"))]).toEqual([
      [".git"],
      ["hooks"],
      [],
    ]);
    const [name = ""] = readdirSync(join(home, "sandbox", "moved"));
    const movedTo = join(home, "sandbox", "moved", name, ".bough");
    await sandbox.putBack({ kind: "moved", what: join(cwd, ".bough"), certain: true, movedTo });
    expect(readFileSync(join(cwd, ".bough", "settings.local.json"), "utf8")).toBe("{}\n");
    expect(readdirSync(join(home, "sandbox", "moved"))).toEqual([]);
  });

  test("what Bough itself keeps in the project while a command runs stays there", async () => {
    const own = "settings.local.json";
    const { cwd, run } = await inside({ isOwn: (path) => path.endsWith(`/.bough/${own}`) });
    const onUpdate = () => {
      mkdirSync(join(cwd, ".bough"), { recursive: true });
      writeFileSync(join(cwd, ".bough", own), "{}");
    };
    await run("echo started; until [ -e .bough/settings.local.json ]; do :; done; echo x > .bough/theirs.json", {
      onUpdate,
    });
    expect(readdirSync(join(cwd, ".bough"))).toEqual([own]);
  });

  test("does not read keys, nor what rules deny", async () => {
    const home = join(away, "keys");
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, "auth.json"), "sk-very-secret");
    const shop = workshop();
    shop.put("secret/a", "hidden-a");
    shop.put("deep/b.pem", "hidden-b");
    const rules = [rule("deny", "read(secret/**)"), rule("deny", "read(**/*.pem)")];
    const sandbox = sandboxIn(shop.cwd, { home, paths: () => rulePaths(rules, { cwd: shop.cwd, userHome: "/root" }) });
    const command = `cat ${shellWord(home)}/auth.json secret/a deep/b.pem; grep -r hidden . ; true`;
    const result = await shop.call("bash", { command }, { tools: { bash: { sandbox } } });
    expect(JSON.stringify(result.content)).not.toMatch(/very-secret|hidden-/);
  });

  test("does not write what rules deny by a pattern, if it exists when the command starts", async () => {
    const shop = workshop();
    for (const name of ["src/a.gen.ts", "src/deep/B.GEN.ts", "src/c.ts", "locks/x/lock"]) shop.put(name, "kept");
    const rules = [rule("deny", "edit(**/*.gen.ts)"), rule("deny", "edit(loc?s/**)")];
    const sandbox = sandboxIn(shop.cwd, { paths: () => rulePaths(rules, { cwd: shop.cwd, userHome: "/root" }) });
    const command =
      "echo x > src/a.gen.ts; echo x > src/deep/B.GEN.ts; rm -f src/a.gen.ts; echo x > src/c.ts; echo x > locks/x/lock";
    await shop.call("bash", { command }, { tools: { bash: { sandbox } } });
    const text = (name: string) => readFileSync(join(shop.cwd, name), "utf8");
    expect([text("src/a.gen.ts"), text("src/deep/B.GEN.ts"), text("src/c.ts"), text("locks/x/lock")]).toEqual([
      "kept",
      "kept",
      "x\n",
      "kept",
    ]);
  });

  test("writes nothing here if a rule denies every change", async () => {
    const shop = workshop();
    const paths = () => rulePaths([rule("deny", "edit")], { cwd: shop.cwd, userHome: "/root" });
    const sandbox = sandboxIn(shop.cwd, { paths });
    await shop.call("bash", { command: "echo x > a" }, { tools: { bash: { sandbox } } });
    expect(readdirSync(shop.cwd)).toEqual([]);
  });

  test.skipIf(!isOnPath("curl"))(
    "connects only to hosts that are allowed, asks once for each, and says what was blocked",
    async () => {
      const asked: string[] = [];
      const { said } = await inside({
        allowHost: async ({ host, port }) => {
          asked.push(`${host}:${port}`);
          return false;
        },
      });
      const text = await said(
        "curl -sS http://one.example/; curl -sS http://one.example/2; curl -sS https://two.example/",
      );
      expect(asked).toEqual(["one.example:80", "two.example:443"]);
      expect(text).toMatch(/The sandbox blocked .*one\.example:80/);
      await said("curl -sS http://one.example/");
      expect(asked.length).toBe(3);
    },
  );

  test.skipIf(!isOnPath("curl"))("does not reach a server of this machine", async () => {
    const { said } = await inside({ allowHost: async () => true });
    const { createServer } = await import("node:http");
    const server = createServer((_, response) => response.end("reached"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    const text = await said(`curl -sS http://127.0.0.1:${port}/; curl -sS http://localhost:${port}/`);
    server.close();
    expect(text).not.toContain("reached");
  });

  test("has its own sandbox, even if another session of the process has one", async () => {
    const asked: string[] = [];
    const allowHost = (name: string) => async (request: HostRequest) => {
      asked.push(`${name} ${request.callId} ${request.host}`);
      return false;
    };
    const [one, two] = [await inside({ allowHost: allowHost("one") }), await inside({ allowHost: allowHost("two") })];
    const command =
      "echo x > a; (echo > /dev/tcp/127.0.0.1/1) 2>/dev/null; exec 3<>/dev/tcp/127.0.0.1/47631; printf 'CONNECT a.example:443 HTTP/1.1\\r\\n\\r\\n' >&3; cat <&3";
    const results = await Promise.all([one, two].map(({ run }, at) => run(command, { callId: `call-${at}` })));
    expect(results.map(({ content }) => JSON.stringify(content).includes("403 Forbidden"))).toEqual([true, true]);
    expect(asked.sort()).toEqual(["one call-0 a.example", "two call-1 a.example"]);
    expect([readdirSync(one.cwd), readdirSync(two.cwd)]).toEqual([["a"], ["a"]]);
  });

  test(
    "works if a socket of this machine is gone when it starts, and nothing is left at its place",
    DISTURBED,
    async () => {
      const { cwd, sandbox } = await inside();
      const folder = realpathSync(mkdtempSync(join(tmpdir(), "bough-socket-")));
      afterTest(() => rmSync(folder, { recursive: true, force: true }));
      const server = createServer().listen(join(folder, "s"));
      await once(server, "listening");
      const { line, finish } = await sandbox.wrap("echo ran", { callId: "a", signal: new AbortController().signal });
      server.close();
      await once(server, "close");
      rmSync(folder, { recursive: true });
      const { stdout, stderr } = await promisify(execFile)(commandShell().program, ["-c", line], { cwd });
      await finish();
      expect([stdout, stderr, existsSync(folder)]).toEqual(["ran\n", "", false]);
    },
  );

  test("sandboxes that start at the same time leave each other alone, and nothing in the temporary folder", async () => {
    const places = await Promise.all(Array.from({ length: 4 }, () => inside()));
    const before = sandboxFolders();
    const results = await Promise.all(
      Array.from({ length: 6 }, (_, round) => places.map(({ said }) => said(`echo round ${round}`))).flat(),
    );
    expect(new Set(results).size).toBe(6);
    await Promise.all(places.map(({ sandbox }) => sandbox.close()));
    expect(sandboxFolders()).toEqual(before);
  });

  test("does not use the proxy of another sandbox, even before that one has started", DISTURBED, async () => {
    const asked: string[] = [];
    const [one, two] = [
      await inside({
        allowHost: async ({ callId = "" }) => {
          asked.push(callId);
          return true;
        },
      }),
      await inside(),
    ];
    const own = sandboxFolders();
    const { line, finish } = await one.sandbox.wrap("echo ran", {
      callId: "one",
      signal: new AbortController().signal,
    });
    const [folder = ""] = sandboxFolders().filter((name) => !own.includes(name));
    const text = await two.said(
      `{ printf 'CONNECT a.example:443 HTTP/1.1\\r\\n\\r\\n'; sleep 0.2; } | socat -t 2 - UNIX-CONNECT:/tmp/${folder}/s 2>/dev/null; echo tried`,
    );
    expect([text, asked]).toEqual(["tried", []]);
    const { stdout } = await promisify(execFile)(commandShell().program, ["-c", line], { cwd: one.cwd });
    await finish();
    expect(stdout).toBe("ran\n");
  });

  test("is made anew if it could not be set up, and never runs the command outside", async () => {
    const { cwd, sandbox } = await inside();
    const lines: string[] = [];
    const broken = (times: number): Sandbox => ({
      ...{ state: sandbox.state, ready: sandbox.ready, putBack: sandbox.putBack, close: sandbox.close },
      wrap: async (command, { callId, signal }) => {
        const wrapped = await sandbox.wrap(command, { callId, signal });
        lines.push(command);
        return lines.length > times ? wrapped : { ...wrapped, line: "echo no such mount; exit 1" };
      },
    });
    const shop = workshop();
    const run = (times: number) =>
      shop.call(
        "bash",
        { command: `echo ran >> ${shellWord(cwd)}/ran; echo ran` },
        { tools: { bash: { sandbox: broken(times) } } },
      );
    expect((await run(1)).content).toEqual([{ type: "text", text: "ran" }]);
    lines.length = 0;
    expect(await run(9)).toMatchObject({
      content: [{ text: "The sandbox could not be set up, and the command was not run: no such mount" }],
      isError: true,
    });
    expect([lines.length, readFileSync(join(cwd, "ran"), "utf8")]).toEqual([5, "ran\n"]);
  });

  test("is gone with its children when it is stopped", async () => {
    const { run, cwd } = await inside();
    const stop = new AbortController();
    const onUpdate = () => stop.abort();
    const result = await run("sleep 600 & echo started; wait", { signal: stop.signal, onUpdate });
    expect(result.isError).toBe(true);
    expect(existsSync(join(cwd, ".bough"))).toBe(false);
  });

  test("says when it failed that the sandbox may be why, and nothing when it worked", async () => {
    const { said } = await inside();
    expect(await said("exit 3")).toMatch(/^\(no output\)\n\[Ran in a sandbox: .*\]\n\[Exit code 3\]$/);
    expect(await said("echo fine")).toBe("fine");
  });
});

test("rules about files open and close paths: folders for writing, patterns too for reading", () => {
  const rules = [
    rule("allow", `edit(${away}/**)`),
    rule("allow", "edit(/nowhere/at/all/**)"),
    rule("allow", "edit(src/*.ts)"),
    rule("deny", "edit(dist/**)"),
    rule("deny", "read(~/notes/**)"),
    rule("deny", "read(**/.env)"),
    rule("ask", "read(x)"),
    rule("allow", "read(y)"),
  ];
  expect(rulePaths(rules, { cwd: "/w", userHome: "/home/me" })).toEqual({
    write: [away],
    denyWrite: ["/w/dist"],
    denyRead: ["/home/me/notes", "/w/**/.env"],
  });
});

test("a pattern means what matches it now, or for its whole folder if there is too much to look at", async () => {
  const shop = workshop();
  for (const name of ["a.pem", "x/b.PEM", "x/y/c.pem", "x/pem", "z.pem/inner"]) shop.put(name, "");
  symlinkSync("..", join(shop.cwd, "x/up"));
  const patterns = new ExistingMatches();
  const matches = async (pattern: string, from = patterns) => {
    const [found] = await from.now([join(shop.cwd, pattern)]);
    const paths = found?.isComplete === true ? found.paths : [found?.base ?? ""];
    return paths.map((path) => path.slice(shop.cwd.length + 1)).sort();
  };
  expect(await matches("**/*.pem")).toEqual(["a.pem", "x/b.PEM", "x/y/c.pem", "z.pem"]);
  expect(await matches("x/*.pem")).toEqual(["x/b.PEM"]);
  expect(await matches("*/y/?.pem")).toEqual(["x/y/c.pem"]);
  expect(await matches("**/y/**/c.pem")).toEqual(["x/y/c.pem"]);
  expect(await matches("x/pem")).toEqual(["x/pem"]);
  expect(await matches("missing/*.pem")).toEqual([]);
  expect(await matches("x/**/*.pem", new ExistingMatches(3))).toEqual(["x"]);
});

test("what matches a pattern is found again after every change, also in folders that were read before", async () => {
  const shop = workshop();
  for (const name of ["a/one.pem", "a/two.txt", "b/c/three.pem"]) shop.put(name, "");
  const patterns = new ExistingMatches();
  const found = async () => {
    const [{ paths } = { paths: [] }] = await patterns.now([join(shop.cwd, "**/*.pem")]);
    return paths.map((path) => path.slice(shop.cwd.length + 1)).sort();
  };
  expect(await found()).toEqual(["a/one.pem", "b/c/three.pem"]);
  renameSync(join(shop.cwd, "a/two.txt"), join(shop.cwd, "a/two.pem"));
  renameSync(join(shop.cwd, "b/c"), join(shop.cwd, "a/c"));
  expect(await found()).toEqual(["a/c/three.pem", "a/one.pem", "a/two.pem"]);
  rmSync(join(shop.cwd, "a"), { recursive: true });
  shop.put("a", "");
  expect(await found()).toEqual([]);
  rmSync(join(shop.cwd, "a"));
  shop.put("a/deep/four.pem", "");
  expect(await found()).toEqual(["a/deep/four.pem"]);
});

describe("permissions", () => {
  const permissionsWith = (sandbox: SandboxStatus | undefined, rules: readonly Rule[] = []) => {
    const asked: unknown[] = [];
    const permissions = createPermissions({
      mode: "auto",
      cwd: away,
      rules,
      ask: async ({ shown, warnings, grant, project }) => {
        asked.push({ shown, warnings, grant, project });
        return "once";
      },
      keepRules: () => undefined,
      sandbox,
    });
    return { permissions, asked };
  };
  const works = { kind: "on" } as const;
  const on = { state: works, ready: async () => works };
  const broken = { kind: "unavailable", reason: "no bwrap", fix: "install it" } as const;
  const off = { state: broken, ready: async () => broken };

  test("auto runs commands in the sandbox, and asks about each if there should be one and is not", async () => {
    for (const [sandbox, questions] of [
      [undefined, 0],
      [on, 0],
      [off, 1],
    ] as const) {
      const { permissions, asked } = permissionsWith(sandbox);
      await permissions.permit({ tool: "bash", action: "run", target: "make" });
      expect(asked.length).toBe(questions);
    }
  });

  test("the question says that the command is not sandboxed; a rule still allows", async () => {
    const { permissions, asked } = permissionsWith(off, [rule("allow", "bash(npm test)")]);
    await permissions.permit({ tool: "bash", action: "run", target: "npm test" });
    expect(asked).toEqual([]);
    await permissions.permit({ tool: "bash", action: "run", target: "make" });
    expect(asked).toMatchObject([{ warnings: ["This command is not sandboxed. Run bough doctor to see why."] }]);
  });

  test("a connection of a command is asked about even in auto, unless a rule is about its host", async () => {
    const rules = [
      rule("allow", "web_fetch(*.example.org)"),
      rule("deny", "web_fetch(evil.example)"),
      rule("allow", "bash"),
    ];
    const { permissions, asked } = permissionsWith(on, rules);
    const connect = (host: string) => permissions.permit({ tool: "bash", action: "fetch", target: `https://${host}/` });
    expect(await connect("packages.example.org")).toEqual({ allowed: true });
    expect(await connect("evil.example")).toMatchObject({ allowed: false });
    expect(asked).toEqual([]);
    expect(await connect("other.example")).toEqual({ allowed: true });
    expect(asked).toMatchObject([{ grant: "connect to other.example", project: "reach other.example" }]);
  });
});
