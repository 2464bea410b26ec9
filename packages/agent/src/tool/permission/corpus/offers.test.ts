import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../../../../../../test/support/temp-folder.js";
import type { PermissionRequest } from "../../tool.js";
import { createPermissions } from "../permissions.js";
import { parseRule } from "../rule/rule.js";

const SOURCE = { kind: "local" } as const;

/** The rules that are saved if the user answers "always in this project"; undefined if that is not offered. */
async function offeredFor(request: PermissionRequest, cwd: string): Promise<readonly string[] | undefined> {
  let kept: readonly string[] | undefined;
  const permissions = createPermissions({
    mode: "ask",
    cwd,
    ask: async ({ project }) => (project === undefined ? "no" : "project"),
    keepRules: (texts) => {
      kept = texts;
      return SOURCE;
    },
  });
  await permissions.permit(request);
  return kept;
}

/** Whether these rules alone allow a request. */
async function isAllowed(request: PermissionRequest, texts: readonly string[], cwd: string): Promise<boolean> {
  const rules = texts.map((text) => parseRule(text, { effect: "allow", source: SOURCE }));
  return (await createPermissions({ mode: "ask", cwd, rules }).permit(request)).allowed;
}

function placeWith(files: readonly string[]): string {
  const cwd = realpathSync(tempFolder());
  for (const file of files) {
    mkdirSync(dirname(join(cwd, file)), { recursive: true });
    writeFileSync(join(cwd, file), "");
  }
  return cwd;
}

const write = (target: string) => ({ tool: "write", action: "write", target }) as const;
const run = (target: string) => ({ tool: "bash", action: "run", target }) as const;
const fetch = (target: string) => ({ tool: "web_fetch", action: "fetch", target }) as const;
const use = (name: string, tool: string) =>
  ({ tool: `${name}__${tool}`, action: "use", target: "{}", server: { name, tool } }) as const;
const own = (tool: string) => ({ tool, action: "use", target: "{}" }) as const;

/** Requests, each with lines that the offered rule must not allow. */
const OFFERS: readonly (readonly [asked: PermissionRequest, ...others: PermissionRequest[]])[] = [
  [write("*/a"), write("src/a"), write("other/b"), write("a")],
  [write("**/a"), write("src/a"), write("src/deep/b")],
  [write("s?c/a"), write("src/a")],
  [write("[sx]rc/a"), write("src/a"), write("xrc/a")],
  [write("{src,test}/a"), write("src/a"), write("test/a")],
  [write("a\\*/b"), write("a*/b"), write("ax/b"), write("a\\x/b")],
  [write("a)b/c"), write("a/c"), write("src/a")],
  [write("(a/b"), write("a/b"), write("src/a")],
  [write("a:*/b"), write("a/b"), write("a:x/b")],
  [write("~/b"), write("../b"), write("src/a")],
  [write("!src/a"), write("src/a"), write("test/a")],
  [write("*"), write("a"), write("src/a")],
  [write("?"), write("a"), write("b")],
  [write("*.ts"), write("a.ts"), write("src/b.ts")],
  [write("src /a"), write("src/a")],
  [write(" src/a"), write("src/a")],
  [write("src/deep/a"), write("test/a"), write("a"), write(".git/config"), write("../src/a")],
  [write("größe/a"), write("grösse/a"), write("src/a")],
  [write("+(a)/b"), write("a/b"), write("aa/b")],
  [write("@(a)/b"), write("a/b")],
  [use("server", "*"), use("server", "delete"), use("other", "*"), use("other", "a")],
  [use("server", "get_*"), use("server", "get_all"), use("server", "get_")],
  [use("server", "?"), use("server", "a")],
  [use("server", "a/b"), use("server", "a"), use("server", "b"), use("a", "b")],
  [use("server", "a)"), use("server", "a"), use("server", "b")],
  [use("server", "a\\"), use("server", "a"), use("server", "\\")],
  [use("server", "[ab]"), use("server", "a"), use("server", "b")],
  [use("server", "a__b"), use("server", "a"), use("server", "b")],
  [use("server", "**"), use("server", "x"), use("x", "y")],
  [own("deploy"), own("deploy2"), own("bash"), own("undeploy")],
  [own("*"), own("deploy"), own("edit"), run("make"), write("src/a")],
  [own("x__*"), own("x__y"), own("x__z")],
  [own("deploy*"), own("deploy"), own("deploy_all")],
  [own("mcp(*/*)"), own("deploy"), use("server", "x")],
  [fetch("https://*.com/a"), fetch("https://example.com/a"), fetch("https://a.com/"), fetch("https://com/")],
  [fetch("https://*/a"), fetch("https://example.com/a"), fetch("https://localhost/")],
  [fetch("https://example.com/a"), fetch("https://www.example.com/a"), fetch("https://example.com.evil.test/")],
  [fetch("https://*.example.com/a"), fetch("https://example.com/a"), fetch("https://x.example.com/a")],
  [fetch("https://a@b.test/"), fetch("https://a/"), fetch("https://a.test/")],
  [run("rm '*'"), run("rm a"), run("rm *"), run("rm"), run("rm '*' a")],
  [run("deploy 'a:*'"), run("deploy a"), run("deploy a:x"), run("deploy a b")],
  [run("deploy :*"), run("deploy"), run("deploy a")],
  [run("deploy ':*'"), run("deploy a"), run("deploy")],
  [run("deploy ':**'"), run("deploy a"), run("deploy")],
  [run("deploy 'a)'"), run("deploy a"), run("deploy")],
  [run('deploy "it\'s"'), run("deploy its"), run("deploy")],
  [run("deploy 'a b'"), run("deploy a b"), run("deploy 'a b' c")],
  [run("deploy a\\ b"), run("deploy a b"), run("deploy a")],
  [run("deploy '$(make)'"), run("deploy $(make)"), run("deploy make")],
  [run("deploy 'a\\b'"), run("deploy ab"), run("deploy 'a\\\\b'")],
  [run("npm test"), run("npm install"), run("npm test --prefix=x"), run("npm test; make"), run("npm tests")],
  [run("npm run build"), run("npm run deploy"), run("npm run build --script-shell=x"), run("npm exec build")],
  [run("npm run '*'"), run("npm run deploy"), run("npm run build")],
  [run("git status"), run("git push"), run("git -c a=b status"), run("git -C nested status")],
  [run("git log -5"), run("git log --output=x"), run("git push")],
  [run("cargo test"), run("cargo run"), run("cargo test --config=x")],
  [run("pytest -q"), run("pytest -p x"), run("pytest --rootdir=x")],
  [run("make a"), run("make b"), run("make"), run("make a b"), run("make a SHELL=x")],
  [run("deploy && release"), run("deploy x"), run("release x"), run("deploy; make")],
  [write("-rf/a"), write("src/a"), write("rf/a"), write("a")],
  [write("--/a"), write("src/a"), write("a")],
  [write("a\nb/c"), write("a/c"), write("b/c"), write("src/a")],
  [write("[id]/a"), write("i/a"), write("d/a"), write("id/a")],
  [write("[...slug]/a"), write("s/a"), write("./a"), write("src/a")],
  [write("{a}/b"), write("a/b")],
  [write("a]b/c"), write("a/c"), write("b/c")],
  [write("\\/a"), write("src/a"), write("a")],
  [write("a*b?c[d]/e"), write("axbyc[d]/e"), write("abc/e"), write("a*b?cd/e")],
  [write("src\\/a"), write("src/a"), write("srcx/a")],
  [write(".../a"), write("../a"), write("src/a")],
  [write("a\tb/c"), write("a/c"), write("src/a")],
  [write("\u202ea/b"), write("a/b"), write("src/a")],
  [write("SRC/a"), write("src/a")],
  [use("*", "get"), use("other", "get"), use("server", "get")],
  [use("a*", "get"), use("ab", "get")],
  [use("server", "-x"), use("server", "x"), use("server", "--x")],
  [use("server", "a\nb"), use("server", "a"), use("server", "a_b"), use("server", "ab")],
  [use("server", "{a,b}"), use("server", "a"), use("server", "b")],
  [use("server", "a b"), use("server", "a_b"), use("server", "a"), use("server", "a.b")],
  [use("server", "a.b"), use("server", "a_b"), use("server", "axb")],
  [use("server", "größe"), use("server", "gr__e"), use("server", "gr_e")],
  [use("server", "x".repeat(80)), use("server", "x".repeat(81)), use("server", "x".repeat(79))],
  [fetch("https://[::1]/"), fetch("https://localhost/"), fetch("https://[::2]/")],
  [fetch("https://a_b.test/"), fetch("https://axb.test/"), fetch("https://a.test/")],
  [fetch("https://*.*/"), fetch("https://a.b/"), fetch("https://example.com/")],
  [fetch("https://EXAMPLE.com./"), fetch("https://example.com.evil.test/"), fetch("https://xexample.com/")],
  [run("deploy -- -x"), run("deploy -x"), run("deploy --"), run("deploy -- -x y")],
  [run("deploy '{a,b}'"), run("deploy {a,b}"), run("deploy a b"), run("deploy a")],
  [run("deploy '[ab]'"), run("deploy [ab]"), run("deploy a")],
  [run("deploy '#a'"), run("deploy"), run("deploy #a")],
  [run("deploy ''"), run("deploy"), run("deploy a")],
  [run("deploy '~'"), run("deploy ~"), run("deploy a")],
  [run("deploy 'a*'"), run("deploy ab"), run("deploy a*")],
  [run("deploy '-x:*'"), run("deploy -x"), run("deploy -x a")],
  [run("deploy 'a\\*'"), run("deploy 'a*'"), run("deploy 'a\\x'")],
  [run("'[x]/run' a"), run("x/run a"), run("'[x]/run' b")],
  [run("ls '*'"), run("ls > out"), run("make"), run("ls $(make)")],
  [run("uniq a"), run("uniq a b")],
  [run("find . -name '*'"), run("find . -delete"), run("find . -exec make {} +")],
  [run("./deploy.sh --now"), run("./deploy.sh"), run("deploy.sh --now"), run("/x/deploy.sh --now")],
];

describe("what is offered for always", () => {
  test.each(
    OFFERS.map(([asked, ...others]) => [`${asked.action} ${asked.tool} ${asked.target}`, asked, others] as const),
  )("%s: allows what was asked about and nothing else", async (_, asked, others) => {
    const cwd = placeWith(asked.action === "write" && !asked.target.startsWith("~") ? [asked.target] : []);
    const texts = await offeredFor(asked, cwd);
    // There may be no offer, but an offer must be correct.
    if (texts === undefined) return;
    expect([texts, await isAllowed(asked, texts, cwd)]).toEqual([texts, true]);
    const wrong: string[] = [];
    for (const other of others) if (await isAllowed(other, texts, cwd)) wrong.push(`${other.tool} ${other.target}`);
    expect([texts, wrong]).toEqual([texts, []]);
  });

  test("something is offered for everyday requests", async () => {
    const cwd = placeWith(["src/a"]);
    const offered: (readonly string[] | undefined)[] = [];
    for (const asked of [
      write("src/a"),
      run("npm test src"),
      run("make lint"),
      use("server", "get"),
      fetch("https://a.test/"),
    ]) {
      offered.push(await offeredFor(asked, cwd));
    }
    expect(offered).toEqual([
      ["edit(src/**)"],
      ["bash(npm test:*)"],
      ["bash(make lint)"],
      ["mcp(server/get)"],
      ["web_fetch(a.test)"],
    ]);
  });
});
