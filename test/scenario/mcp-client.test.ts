/** `bough mcp add|list|remove|test|login|logout`, and what `bough doctor` says of servers. */
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { oddServer } from "@bough/agent/mcp/mcp-servers.test-support.js";
import { createTrust } from "@bough/agent/tool/index.js";
import { shellWord } from "@bough/session/text/index.js";
import { describe, expect, onTestFinished, test } from "vitest";
import { type HttpWay, httpMcpServer } from "../support/http-mcp-server.js";
import { oauthMcpServer } from "../support/oauth-mcp-server.js";
import { makePlace, type Place } from "./cli-support.js";
import { runSub } from "./sub-support.js";

const mcp = (place: Place, ...args: readonly string[]) => runSub(place, ["mcp", ...args]);
const json = async (place: Place, ...args: readonly string[]) => {
  const { code, stdout } = await mcp(place, ...args, "--json");
  return { code, ...JSON.parse(stdout) };
};
/** As arguments of `bough mcp add`. */
const odd = (way: string): readonly string[] => {
  const { command = "", args = [] } = oddServer(way);
  return ["--", command, ...args];
};
/** The same as it is shown, for a shell: the checkout may be in a folder whose name needs quotes. */
const shownOdd = (way: string): string => {
  const { command = "", args = [] } = oddServer(way);
  return [command, ...args].map(shellWord).join(" ");
};
const settingsOf = ({ home }: Place) => JSON.parse(readFileSync(join(home, "settings.json"), "utf8"));

async function web(way: HttpWay): Promise<string> {
  const server = await httpMcpServer(way);
  onTestFinished(() => server.close());
  return server.url;
}

describe("bough mcp add", () => {
  test("saves a server of yours, which list shows, test connects to, and remove takes out again", async () => {
    const place = makePlace();
    const added = await mcp(place, "add", "docs", "-e", "TOKEN=s3cret", ...odd("good"));
    expect([added.code, added.stdout, added.stderr]).toEqual([
      0,
      `Added docs to ${join(place.home, "settings.json")}: ${shownOdd("good")}\nTo try it: bough mcp test docs\n`,
      "",
    ]);
    expect([settingsOf(place).model, settingsOf(place).mcpServers.docs.env]).toEqual([
      "offline/rules",
      { TOKEN: "s3cret" },
    ]);
    const listed = await mcp(place, "list");
    expect([listed.code, listed.stdout]).toEqual([0, `docs  user  ${shownOdd("good")}  tools not listed yet\n`]);
    expect(listed.stdout + added.stdout).not.toContain("s3cret");
    const tested = await mcp(place, "test", "docs");
    expect([
      tested.code,
      tested.stdout
        .replace(/\d+ ms/, "N ms")
        .split("\n")
        .slice(1),
    ]).toEqual([
      0,
      [
        "Connected in N ms: odd 1",
        "2 tools (53 tokens), 1 resource, 1 prompt",
        "  docs__bash  Runs anything.",
        "  docs__echo  Does echo.",
        "  /docs:greet  Greets.",
        "",
      ],
    ]);
    const again = await mcp(place, "list");
    expect(again.stdout).toBe(`docs  user  ${shownOdd("good")}  2 tools, 53 tokens\n`);
    expect(await json(place, "remove", "docs")).toEqual({
      code: 0,
      removed: "docs",
      file: join(place.home, "settings.json"),
    });
    expect(await json(place, "list")).toEqual({ code: 0, servers: [], problems: [] });
  });

  test("saves a server with a URL; keys in headers and in the address are not printed", async () => {
    const place = makePlace();
    const url = await web("good");
    const added = await json(place, "add", "web", `${url}?key=s3cret`, "--header", "X-Key: s3cret");
    const facts = { name: "web", scope: "user", transport: "http", url: `${url}?…`, disabled: false };
    expect(added).toMatchObject({ code: 0, added: facts });
    const listed = await json(place, "list");
    expect(listed.servers).toEqual([{ ...facts, file: join(place.home, "settings.json"), tools: null, tokens: null }]);
    expect(JSON.stringify([added, listed])).not.toContain("s3cret");
    expect(await json(place, "test", "web")).toEqual({
      ...{ code: 0, name: "web", ok: true, milliseconds: expect.any(Number), server: { name: "web", version: "2" } },
      ...{ tools: ["look"], tokens: expect.any(Number), resources: 0, prompts: [], problems: [] },
    });
  });

  test("for a project is in .mcp.json, and is used once the project is trusted", async () => {
    const place = makePlace();
    const added = await mcp(place, "add", "docs", "-s", "project", "-e", "TOKEN=s3cret", ...odd("good"));
    expect(added.code).toBe(0);
    expect(added.stderr).toContain("for a secret, use '$");
    expect(added.stderr).toContain("This project is not trusted yet");
    expect(JSON.parse(readFileSync(join(place.cwd, ".mcp.json"), "utf8")).mcpServers.docs.env).toEqual({
      TOKEN: "s3cret",
    });
    const untrusted = await json(place, "list");
    expect([untrusted.code, untrusted.servers, untrusted.problems]).toEqual([
      1,
      [],
      [{ file: join(place.cwd, ".mcp.json"), field: expect.anything(), message: expect.stringMatching(/trust/) }],
    ]);
    const refused = await mcp(place, "test", "docs");
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(/Unknown server docs[\s\S]*trust/)]);
    createTrust(place.home).setTrust(place.cwd, "yes");
    expect((await json(place, "list")).servers).toMatchObject([{ name: "docs", scope: "project" }]);
    expect((await json(place, "test", "docs")).ok).toBe(true);
    expect((await mcp(place, "remove", "docs")).stdout).toBe(`Removed docs from ${join(place.cwd, ".mcp.json")}\n`);
  });

  test("for this checkout is in .bough/settings.local.json and wins over yours of the same name", async () => {
    const place = makePlace();
    createTrust(place.home).setTrust(place.cwd, "yes");
    await mcp(place, "add", "docs", await web("good"));
    const local = await json(place, "add", "docs", "--scope", "local", ...odd("good"));
    expect(local.added.file).toBe(join(place.cwd, ".bough", "settings.local.json"));
    expect((await json(place, "list")).servers).toMatchObject([{ name: "docs", scope: "local", transport: "stdio" }]);
    await mcp(place, "remove", "docs");
    expect((await json(place, "list")).servers).toMatchObject([{ name: "docs", scope: "user", transport: "http" }]);
  });

  test.each([
    [["add", "a__b", "--", "x"], "a__b"],
    [["add", "a/b", "--", "x"], "a/b"],
    [["add", "", "--", "x"], "name"],
    [["add", "docs"], "Missing argument after bough mcp add"],
    [["add", "docs", "http://[broken"], "Not a valid URL"],
    [["add", "docs", "https://a.example/mcp", "more"], "Unexpected argument more after the URL"],
    [["add", "docs", "https://a.example/mcp", "-e", "A=b"], "--env is for servers that are started"],
    [["add", "docs", "--header", "A: b", "--", "x"], "--header is for servers with a URL"],
    [["add", "docs", "-e", "s3cret", "--", "x"], "--env takes NAME=value"],
    [["add", "docs", "https://a.example/mcp", "--header", "s3cret"], "--header takes Name: value"],
    [["add", "docs", "-s", "nowhere", "--", "x"], "nowhere"],
    [["remove", "docs"], "Unknown server docs"],
    [["remove", "docs", "-s", "project"], "has no server docs"],
    [["test", "docs"], "Unknown server docs"],
    [["list", "docs"], "Unexpected argument docs"],
    [["tests"], "Did you mean test?"],
  ])("is refused for %j, and nothing is written", async (args, message) => {
    const place = makePlace();
    const { code, stdout, stderr } = await mcp(place, ...args);
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining(message)]);
    expect(stderr).not.toContain("s3cret");
    expect([settingsOf(place), existsSync(join(place.cwd, ".mcp.json"))]).toEqual([{ model: "offline/rules" }, false]);
  });

  test("does not replace a server unless told to; a file that is not JSON is left as it is", async () => {
    const place = makePlace();
    await mcp(place, "add", "docs", ...odd("good"));
    const again = await mcp(place, "add", "docs", "https://a.example/mcp");
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining("Pass --force to replace it.")]);
    expect((await mcp(place, "add", "docs", "https://a.example/mcp", "--force")).code).toBe(0);
    expect(settingsOf(place).mcpServers.docs).toEqual({ type: "http", url: "https://a.example/mcp" });
    writeFileSync(join(place.home, "settings.json"), "{ not json");
    expect((await mcp(place, "add", "other", ...odd("good"))).code).not.toBe(0);
    expect(readFileSync(join(place.home, "settings.json"), "utf8")).toBe("{ not json");
  });
});

describe("a server that cannot be used", () => {
  /** A start that never comes is not waited for here. */
  const saved = (place: Place, servers: Readonly<Record<string, object>>) =>
    writeFileSync(join(place.home, "settings.json"), JSON.stringify({ model: "offline/rules", mcpServers: servers }));

  test("is explained by bough mcp test, with what it printed, and by --json", async () => {
    const place = makePlace();
    const gone = await httpMcpServer("good");
    await gone.close();
    saved(place, {
      hangs: { ...oddServer("hang"), startTimeoutMs: 100 },
      dies: oddServer("exit"),
      absent: { command: "no-such-command-anywhere" },
      unset: { ...oddServer("good"), env: { KEY: `\${NO_SUCH_VARIABLE}` } },
      "slow-web": { url: await web("hangs"), startTimeoutMs: 100 },
      "gone-web": { url: gone.url },
    });
    const reasons = {
      hangs: "failed: it did not answer within 0.1 seconds",
      dies: "failed: it exited with code 3",
      absent: "failed: command not found: no-such-command-anywhere",
      unset: "needs NO_SUCH_VARIABLE, which is not set",
      "slow-web": "cannot be reached: it did not answer within 0.1 seconds",
      "gone-web": "cannot be reached: ",
    };
    for (const [name, reason] of Object.entries(reasons)) {
      expect(await json(place, "test", name)).toMatchObject({
        ...{ code: 1, name, ok: false, tools: [], error: expect.stringContaining(`The MCP server ${name} ${reason}`) },
      });
    }
    const { code, stdout, stderr } = await mcp(place, "test", "dies");
    expect([code, stdout, stderr]).toEqual([
      1,
      "",
      expect.stringContaining("dies: no database here\nbough: The MCP server"),
    ]);
    // The same sentences, with a level, from the doctor.
    const doctor = await runSub(place, ["doctor", "--json"]);
    const checks = (
      JSON.parse(doctor.stdout).checks as { area: string; level: string; message: string; hint: string }[]
    ).filter(({ area }) => area === "MCP servers");
    expect(checks.map(({ level, message }) => [level, message])).toEqual(
      Object.entries(reasons)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, reason]) => ["warning", expect.stringContaining(`The MCP server ${name} ${reason}`)]),
    );
    expect([doctor.code, checks.every(({ hint }) => hint.length > 0)]).toEqual([0, true]);
  });

  test("the doctor counts the tools of those that work, and names those that are disabled or not trusted", async () => {
    const place = makePlace();
    saved(place, { docs: oddServer("good"), web: { url: await web("good") }, off: { command: "x", disabled: true } });
    mkdirSync(join(place.cwd, ".bough"));
    writeFileSync(join(place.cwd, ".mcp.json"), JSON.stringify({ mcpServers: { theirs: oddServer("good") } }));
    const { code, stdout } = await runSub(place, ["doctor"]);
    const lines = stdout.split("\n\n").find((part) => part.startsWith("MCP servers"));
    expect(lines).toBe(
      "MCP servers\n  ok       docs: 2 tools, 53 tokens\n  note     off is disabled\n  ok       web: 1 tool, 12 tokens",
    );
    expect([code, stdout]).toEqual([0, expect.stringMatching(/\.mcp\.json.*trust/)]);
  });
});

test("a login is made with a browser, kept in auth.json, and forgotten again", async () => {
  const remote = await oauthMcpServer();
  onTestFinished(() => remote.close());
  const place = makePlace();
  await mcp(place, "add", "team", remote.url);
  const before = await json(place, "test", "team");
  expect([before.ok, before.error, before.hint]).toEqual([
    false,
    "The MCP server team requires a login",
    "Log in with: bough mcp login team",
  ]);
  // The browser is a program on the path that follows the address.
  const bin = join(place.cwd, "bin");
  mkdirSync(bin);
  const browser = `#!${process.execPath}\nfetch(process.argv.at(-1)).then((answer) => answer.text());\n`;
  for (const name of ["xdg-open", "open"]) writeFileSync(join(bin, name), browser, { mode: 0o755 });
  const withBrowser = { ...place, env: { ...place.env, PATH: `${bin}:${place.env.PATH}` } };
  const loggedIn = await mcp(withBrowser, "login", "team");
  expect([loggedIn.code, loggedIn.stdout, loggedIn.stderr]).toEqual([
    0,
    "Logged in to team\n",
    expect.stringContaining(`open this address:\n${remote.origin}/authorize?`),
  ]);
  expect(statSync(join(place.home, "auth.json")).mode & 0o777).toBe(0o600);
  expect((await json(place, "test", "team")).tools).toEqual(["secret"]);
  expect(await json(place, "logout", "team")).toEqual({ code: 0, name: "team", loggedOut: true });
  expect((await json(place, "test", "team")).ok).toBe(false);
  expect((await mcp(place, "login", "nobody")).code).toBe(2);
});
