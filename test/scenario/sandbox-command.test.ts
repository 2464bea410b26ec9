import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isOnPath } from "../support/missing-tools.js";
import { bough, makePlace, type Place, PROGRAM } from "./cli-support.js";

function sandboxPlace(settings: object = {}): Place {
  return makePlace({ settings: { model: "offline/rules", ...settings } });
}

const probe = sandboxPlace();
const works = JSON.parse((await bough(probe, ["sandbox", "status", "--json"])).stdout || "{}").works === true;
const noSandbox = works ? "" : " (the sandbox does not work here)";

describe.runIf(works)(`bough sandbox${noSandbox}`, () => {
  test("status says that it works, when it is used, and what the user's settings open", async () => {
    const place = sandboxPlace({
      sandbox: "auto",
      sandboxSockets: ["~/agent.sock", "/run/docker.sock"],
      permissions: {
        allow: ["bash(ls:*)", "web_fetch(example.com)", "unsandboxed(git push:*)"],
        ask: ["bash(rm:*)"],
        deny: ["read(.env)"],
      },
    });
    const { code, stdout } = await bough(place, ["sandbox", "status", "--json"]);
    const file = join(place.home, "settings.json");
    const of = (effect: string, rule: string) => ({ effect, rule, source: "user", file });
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      {
        ...{ works: true, use: "auto" },
        sockets: [join(place.home, "..", "agent.sock"), "/run/docker.sock"],
        rules: [
          of("allow", "web_fetch(example.com)"),
          of("allow", "unsandboxed(git push:*)"),
          of("deny", "read(.env)"),
        ],
      },
    ]);
    const text = (await bough(place, ["sandbox", "status"])).stdout;
    expect(text).toContain("The sandbox works here.");
    expect(text).toContain("Used     in permission mode auto");
    expect(text).toContain("allow  unsandboxed(git push:*)");
  });

  test("run runs a command inside: it writes here, not elsewhere, and its exit code is the answer", async () => {
    const place = sandboxPlace();
    const outside = join(place.home, "no");
    const { code, stdout } = await bough(place, ["sandbox", "run", `echo in > a; cat a; touch ${outside}; exit 3`]);
    expect([code, stdout, readFileSync(join(place.cwd, "a"), "utf8"), existsSync(outside)]).toEqual([
      3,
      "in\n",
      "in\n",
      false,
    ]);
    const words = await bough(place, ["sandbox", "run", "--json", "--", "printf", "%s|", "a b", "$HOME", "--json"]);
    expect([JSON.parse(words.stdout), words.stderr]).toEqual([{ exitCode: 0, blocked: [] }, "a b|$HOME|--json|"]);
  });

  test.runIf(isOnPath("curl"))("run refuses hosts without a rule, and says which", async () => {
    const place = sandboxPlace();
    const { stdout } = await bough(place, [
      ...["sandbox", "run", "--json", "--"],
      ...["curl", "-sS", "-m", "5", "http://one.example/"],
    ]);
    expect(JSON.parse(stdout).blocked).toContainEqual({ kind: "network", what: "one.example:80", certain: true });
  });

  test("install says that nothing has to be installed, and downloads nothing", async () => {
    const place = sandboxPlace();
    const { code, stdout } = await bough(place, ["sandbox", "install"]);
    expect([code, stdout]).toEqual([
      0,
      "The sandbox works here. Nothing was downloaded. To use it: bough --sandbox auto\n",
    ]);
    expect(existsSync(join(place.home, "packages"))).toBe(false);
  });

  test("wrong arguments say what is right", async () => {
    const place = sandboxPlace();
    const said = async (...args: string[]) => {
      const { code, stderr } = await bough(place, ["sandbox", ...args]);
      return [code, stderr];
    };
    expect([
      await said(),
      await said("instal"),
      await said("run"),
      await said("run", "--allow", "edit(a", "ls"),
    ]).toEqual([
      [2, expect.stringContaining("<status | install | run>")],
      [2, expect.stringContaining("Did you mean install?")],
      [2, expect.stringContaining("Missing argument after bough sandbox run")],
      [2, expect.stringContaining("Invalid rule for --allow: edit(a")],
    ]);
  });
});

const nested = spawnSync("bwrap", ["--dev-bind", "/", "/", "true"]).status === 0;

describe.runIf(nested)("where the sandbox cannot work", () => {
  /** The program on a system that lacks something, made with bwrap. */
  const boughOn = (place: Place, lacks: readonly string[], args: readonly string[]) => {
    const program = [process.execPath, PROGRAM, ...args];
    const { cwd, env } = place;
    const { status, stdout, stderr } = spawnSync("bwrap", ["--dev-bind", "/", "/", ...lacks, "--", ...program], {
      ...{ cwd, env, encoding: "utf8" },
    });
    return { code: status, stdout, stderr };
  };
  const path = spawnSync("sh", ["-c", "command -v bwrap"], { encoding: "utf8" }).stdout.trim();
  const noBubblewrap = ["--ro-bind", "/dev/null", path];
  /** Namespaces can be nested no further. */
  const noNamespaces = ["--unshare-user", "--disable-userns"];
  const canForbid = spawnSync("bwrap", ["--dev-bind", "/", "/", ...noNamespaces, "true"]).status === 0;

  test("without bubblewrap, install names the packages of this system, and doctor and auto say what is missing", () => {
    const place = sandboxPlace();
    const { code, stdout } = boughOn(place, noBubblewrap, ["sandbox", "install"]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^The sandbox does not work here: .*\.$/m);
    expect(stdout).toMatch(/^Install (?:what is missing|these packages): .*bubblewrap$/m);
    expect(stdout).toContain("The sandbox does not work here yet. To test it again: bough sandbox install");
    const doctor = boughOn(place, noBubblewrap, ["doctor", "--json"]).stdout;
    const checks = JSON.parse(doctor).checks as { area: string; level: string; message: string; hint?: string }[];
    const [check] = checks.filter(({ area }) => area === "Sandbox");
    expect(check).toMatchObject({
      message: expect.stringContaining("cannot be sandboxed"),
      hint: expect.stringContaining("bough sandbox install"),
    });
    const run = ["--sandbox", "auto", "--permission", "auto", "-p", "run echo ran > ran.txt"];
    const { stderr } = boughOn(place, noBubblewrap, run);
    expect(stderr.match(/Not sandboxed: .*\./g)).toHaveLength(1);
    // In the certain language: runs, and it was said that it is not sandboxed.
    expect(existsSync(join(place.cwd, "ran.txt"))).toBe(true);
  });

  test("auto refuses what it does not fully understand if it cannot ask, and on refuses every command", () => {
    const place = sandboxPlace();
    const ran = (name: string) => existsSync(join(place.cwd, name));
    const auto = ["--sandbox", "auto", "--permission", "auto", "-p"];
    boughOn(place, noBubblewrap, [...auto, "run for f in a; do touch one-$f; done"]);
    const always = ["--sandbox", "on", "--permission", "auto", "-p"];
    boughOn(place, noBubblewrap, [...always, "run touch two"]);
    boughOn(place, noBubblewrap, ["--permission", "auto", "-p", "run for f in a; do touch three-$f; done"]);
    const off = ["--sandbox", "off", "--permission", "auto", "-p"];
    boughOn(place, noBubblewrap, [...off, "run for f in a; do touch four-$f; done"]);
    expect([ran("one-a"), ran("two"), ran("three-a"), ran("four-a")]).toEqual([false, false, false, true]);
  });

  test.runIf(canForbid)("without user namespaces it says so, and never runs a command outside instead", () => {
    const place = sandboxPlace();
    const { code, stderr } = boughOn(place, noNamespaces, ["sandbox", "run", "--", "touch", "ran"]);
    expect([code, existsSync(join(place.cwd, "ran"))]).toEqual([1, false]);
    expect(stderr).toMatch(/The sandbox does not work here: .+/);
    boughOn(place, noNamespaces, ["--sandbox", "on", "--permission", "auto", "-p", "run touch ran"]);
    expect(existsSync(join(place.cwd, "ran"))).toBe(false);
  });

  test("a home that cannot be written is no obstacle", () => {
    const place = sandboxPlace();
    mkdirSync(join(place.cwd, "sub"));
    writeFileSync(join(place.cwd, "sub", "a"), "");
    const lacks = ["--ro-bind", place.home, place.home];
    const { code, stdout } = boughOn(place, lacks, ["sandbox", "run", "--", "ls", "sub"]);
    expect([code, stdout]).toEqual([0, "a\n"]);
  });
});
