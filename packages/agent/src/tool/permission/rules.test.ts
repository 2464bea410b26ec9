import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import type { PermissionAnswer, PermissionMode, PermissionQuestion, PermissionRequest } from "../tool.js";
import { createPermissions } from "./permissions.js";
import { parseRule, type RuleEffect } from "./rule/rule.js";

function world(
  rules: Partial<Record<RuleEffect, readonly string[]>>,
  { mode = "ask", answer = "no" }: { readonly mode?: PermissionMode; readonly answer?: PermissionAnswer } = {},
) {
  const base = realpathSync(tempFolder());
  const cwd = join(base, "project");
  mkdirSync(join(cwd, "src"), { recursive: true });
  mkdirSync(join(base, "outside"));
  const questions: PermissionQuestion[] = [];
  const kept: string[] = [];
  const ask = async (question: PermissionQuestion): Promise<PermissionAnswer> => {
    questions.push(question);
    return answer;
  };
  const permissions = createPermissions({
    ...{ mode, cwd, ask },
    rules: Object.entries(rules).flatMap(([effect, texts]) =>
      texts.map((text) => parseRule(text, { effect: effect as RuleEffect, source: { kind: "user" } })),
    ),
    keepRules: (texts, words) => {
      kept.push(...texts, words);
      return { kind: "local" };
    },
  });
  const outcome = async (tool: string, action: PermissionRequest["action"], target: string): Promise<string> => {
    const before = questions.length;
    const { allowed } = await permissions.permit({ tool, action, target });
    return questions.length > before ? "ask" : allowed ? "allow" : "deny";
  };
  const uses = async (tool: string, input: unknown, readOnly = true): Promise<string> => {
    const before = questions.length;
    const { allowed } = await permissions.allowTool({ tool, readOnly, input });
    return questions.length > before ? "ask" : allowed ? "allow" : "deny";
  };
  return { base, cwd, questions, kept, permissions, outcome, uses };
}

describe("rules", () => {
  test("hold for files by where they lead, with any tool", async () => {
    const { base, cwd, outcome } = world({ allow: ["edit(src/**)"], deny: ["edit(src/secret/**)"] });
    symlinkSync(join(base, "outside"), join(cwd, "src/link"));
    expect([
      await outcome("write", "write", "src/a.ts"),
      await outcome("custom", "write", "src/deep/a.ts"),
      await outcome("edit", "write", "README.md"),
      await outcome("edit", "write", "src/link/a"),
      await outcome("edit", "write", "src/secret/a"),
      await outcome("edit", "write", "src/.git/config"),
    ]).toEqual(["allow", "allow", "ask", "ask", "deny", "ask"]);
  });

  test("against a file hold for every name that a tool finds it by", async () => {
    const { cwd, uses } = world({ deny: ["read(.env)", "read(Anna's notes.md)", "read(größe/**)"] }, { mode: "auto" });
    mkdirSync(join(cwd, "größe"));
    for (const name of [".env", "Anna's notes.md", "größe/a", "@b"]) writeFileSync(join(cwd, name), "");
    const names = [
      ...[".env", "@.env", "./.env", "src/../.env", "@src/../.env", ".ENV", join(cwd, ".env"), `@${join(cwd, ".env")}`],
      ...["Anna\u2019s notes.md", "Anna's\u00a0notes.md", "@Anna's notes.md", "größe/a".normalize("NFD"), "@größe/a"],
    ];
    const answers: Record<string, string> = {};
    for (const path of names) answers[path] = await uses("read", { path });
    expect(answers).toEqual(Object.fromEntries(names.map((name) => [name, "deny"])));
    expect([await uses("read", { path: "@b" }), await uses("read", { path: "src" })]).toEqual(["allow", "allow"]);
    for (const tool of ["grep", "ls"]) expect([tool, await uses(tool, { path: "@größe" })]).toEqual([tool, "deny"]);
  });

  test("do not cover git in a folder that looks like a bare repository, whose settings run commands", async () => {
    const { cwd, questions, outcome } = world({
      allow: ["bash(git status:*)", "bash(git log:*)", "bash(cd src/x)", "bash(ls:*)"],
    });
    const git = (...args: string[]) => spawnSync("git", args, { cwd, encoding: "utf8" });
    const { error } = git("init", "-q");
    if (error !== undefined) throw error;
    mkdirSync(join(cwd, "src/x/objects"), { recursive: true });
    mkdirSync(join(cwd, "src/x/refs"));
    writeFileSync(join(cwd, "src/x/HEAD"), "ref: refs/heads/main\n");
    const monitor = `[core]\nrepositoryformatversion = 0\nbare = false\nworktree = ..\nfsmonitor = "touch ${join(cwd, "RAN")}; false"\n`;
    writeFileSync(join(cwd, "src/x/config"), monitor);
    const lines = ["git status", "git -C src status", "git -C src/x status", "git -C src/x/refs log"];
    const more = ["cd src/x && git status", "cd src/x && ls", "ls | xargs git -C src/x status"];
    const outcomes: string[] = [];
    for (const line of [...lines, ...more]) outcomes.push(await outcome("bash", "run", line));
    expect(outcomes).toEqual(["allow", "ask", "ask", "ask", "ask", "allow", "ask"]);
    expect(questions[3]?.warnings).toEqual([
      "src/x is a separate git repository: its settings can make git run commands.",
    ]);
    // This is why it asks: git runs what the settings of that repository say.
    git("-C", "src/x", "status");
    expect(existsSync(join(cwd, "RAN"))).toBe(true);
  });

  test("against a file ask if a command names it by a pattern of the shell", async () => {
    const { outcome } = world({ deny: ["read(.env)", "edit(src/keys.json)"] }, { mode: "auto" });
    const outcomes: Record<string, string> = {};
    const lines = ["cat .env", "cat .e*", "cat .en?", "cat .[e]nv", "cat ./.e*", "cat *", "cat *.ts", "cat .git*"];
    const more = ["rm src/k*", "rm src/*.json", "rm src/*/x", "rm */keys.json", "rm src/{keys,x}.json", "ls src"];
    for (const line of [...lines, ...more]) outcomes[line] = await outcome("bash", "run", line);
    expect(outcomes).toEqual({
      ...{ "cat .env": "deny", "cat .e*": "ask", "cat .en?": "ask", "cat .[e]nv": "ask", "cat ./.e*": "ask" },
      ...{ "cat *": "ask", "cat *.ts": "ask", "cat .git*": "allow" },
      ...{ "rm src/k*": "ask", "rm src/*.json": "ask", "rm src/*/x": "allow", "rm */keys.json": "ask" },
      ...{ "rm src/{keys,x}.json": "ask", "ls src": "allow" },
    });
  });

  test("hold for tools of extensions and servers by name", async () => {
    const { outcome, uses } = world({
      allow: ["deploy", "mcp(docs/search)"],
      ask: ["notes"],
      deny: ["mcp(files/*)", "spy", "read(.env)"],
    });
    expect([
      await outcome("deploy", "use", "{}"),
      await outcome("docs__search", "use", "{}"),
      await outcome("docs__write", "use", "{}"),
      await outcome("files__read", "use", "{}"),
    ]).toEqual(["allow", "allow", "ask", "deny"]);
    // Read-only tools ask for no permission, but deny and ask rules still apply to them.
    expect([
      await uses("spy", {}),
      await uses("spy", {}, false),
      await uses("notes", {}),
      await uses("clock", {}),
      await uses("read", { path: ".env" }),
      await uses("read", { path: "a.txt" }),
      await uses("grep", { pattern: "KEY" }),
    ]).toEqual(["deny", "deny", "ask", "allow", "deny", "allow", "ask"]);
  });

  test("hold for tools of servers by patterns; what is denied is denied however the name is read", async () => {
    const { outcome } = world({
      allow: ["mcp(docs/get_*)", "mcp(git-hub/*_issue)", "notes__*", "mcp(a)"],
      ask: ["mcp(*/get_secret)"],
      deny: ["mcp(*/delete_*)", "mcp(*/*__admin*)"],
    });
    const rows: Record<string, string> = {};
    for (const tool of [
      "docs__get_page",
      "docs__get_secret",
      "docs__getpage",
      "docs2__get_page",
      "xdocs__get_page",
      "docs__x__get_page",
      "git-hub__close_issue",
      "git-hub__close_issues",
      "notes__anything",
      "a__b",
      "a__b__c",
      "a__delete_all",
      "a__b__delete_all",
      "a__x__admin_tool",
      "a__",
      "__a__b",
      "docs",
    ]) {
      rows[tool] = await outcome(tool, "use", "{}");
    }
    expect(rows).toEqual({
      docs__get_page: "allow",
      docs__get_secret: "ask",
      docs__getpage: "ask",
      docs2__get_page: "ask",
      xdocs__get_page: "ask",
      docs__x__get_page: "ask",
      "git-hub__close_issue": "allow",
      "git-hub__close_issues": "ask",
      notes__anything: "allow",
      a__b: "allow",
      a__b__c: "allow",
      a__delete_all: "deny",
      a__b__delete_all: "deny",
      a__x__admin_tool: "deny",
      a__: "ask",
      __a__b: "ask",
      docs: "ask",
    });
  });

  test("hold for addresses by host, whatever the case, port, path or final dot", async () => {
    const { outcome } = world({
      allow: ["web_fetch(Example.com)", "web_fetch(*.docs.test)"],
      ask: ["web_fetch(ask.docs.test)"],
      deny: ["web_fetch(*.evil.docs.test)"],
    });
    const rows: Record<string, string> = {};
    for (const address of [
      "https://example.com/a?b=c",
      "http://EXAMPLE.com.:8080/",
      "https://sub.example.com/",
      "https://example.com.attacker.test/",
      "https://example.com@attacker.test/",
      "https://notexample.com/",
      "https://a.docs.test/",
      "https://a.b.docs.test/",
      "https://docs.test/",
      "https://xdocs.test/",
      "https://ask.docs.test/",
      "https://x.evil.docs.test./",
      "not an address",
    ]) {
      rows[address] = await outcome("web_fetch", "fetch", address);
    }
    expect(rows).toEqual({
      "https://example.com/a?b=c": "allow",
      "http://EXAMPLE.com.:8080/": "allow",
      "https://sub.example.com/": "ask",
      "https://example.com.attacker.test/": "ask",
      "https://example.com@attacker.test/": "ask",
      "https://notexample.com/": "ask",
      "https://a.docs.test/": "allow",
      "https://a.b.docs.test/": "allow",
      "https://docs.test/": "ask",
      "https://xdocs.test/": "ask",
      "https://ask.docs.test/": "ask",
      "https://x.evil.docs.test./": "deny",
      "not an address": "deny",
    });
  });

  test("a rule for hosts that names more than a host denies everything it could be about", async () => {
    const bad = ["", "https://a.test/", "a.test/path", "a.test:80", "user@a.test", "*", "a.*.test", "*a.test"];
    for (const text of bad) {
      const { outcome } = world({ deny: [`web_fetch(${text})`] }, { mode: "auto" });
      expect([text, await outcome("web_fetch", "fetch", "https://b.test/")]).toEqual([text, "deny"]);
      const { outcome: allowed } = world({ allow: [`web_fetch(${text})`] });
      expect([text, await allowed("web_fetch", "fetch", "https://a.test/")]).toEqual([text, "ask"]);
    }
  });

  test("an answer for the session covers one host", async () => {
    const { outcome, questions } = world({}, { answer: "session" });
    expect([
      await outcome("web_fetch", "fetch", "https://a.test/1"),
      await outcome("web_fetch", "fetch", "http://a.test/2"),
      await outcome("web_fetch", "fetch", "https://b.test/"),
      questions[0]?.grant,
    ]).toEqual(["ask", "allow", "ask", "fetch pages from a.test"]);
  });

  test("deny wins over ask and allow, and over every mode; allow does not outweigh read-only", async () => {
    const rules = { allow: ["bash(git:*)"], ask: ["bash(git push:*)"], deny: ["bash(git push --force:*)"] };
    const rows: string[] = [];
    for (const mode of ["ask", "auto", "read-only"] as const) {
      const { outcome } = world(rules, { mode });
      for (const line of ["git status", "git push", "git push --force", "make"]) {
        rows.push(`${mode} ${line}: ${await outcome("bash", "run", line)}`);
      }
    }
    expect(rows).toEqual([
      "ask git status: allow",
      "ask git push: ask",
      "ask git push --force: deny",
      "ask make: ask",
      "auto git status: allow",
      "auto git push: ask",
      "auto git push --force: deny",
      "auto make: allow",
      "read-only git status: deny",
      "read-only git push: deny",
      "read-only git push --force: deny",
      "read-only make: deny",
    ]);
  });

  test("a rule that asks is not answered for the session or for the project", async () => {
    const { outcome, questions } = world({ ask: ["bash(git push:*)"] }, { answer: "session" });
    expect([await outcome("bash", "run", "git push"), await outcome("bash", "run", "git push")]).toEqual([
      "ask",
      "ask",
    ]);
    expect([questions[0]?.grant, questions[0]?.project]).toEqual([undefined, undefined]);
    expect(questions[0]?.warnings).toEqual(["The rule ask bash(git push:*) matches. You are asked every time."]);
  });

  test("a rule against something that cannot be parsed denies its tool, or everything", async () => {
    const one = world({ allow: ["bash(ls:*)"], deny: ["bash(rm -rf"] }, { mode: "auto" });
    expect([await one.outcome("bash", "run", "ls"), await one.outcome("edit", "write", "a")]).toEqual([
      "deny",
      "allow",
    ]);
    const all = world({ deny: ["(rm)"] }, { mode: "auto" });
    expect([await all.outcome("bash", "run", "ls"), await all.outcome("edit", "write", "a")]).toEqual(["deny", "deny"]);
    const harmless = world({ allow: ["bash(ls", "(x)"] });
    expect(await harmless.outcome("bash", "run", "ls")).toBe("ask");
  });
});

describe("always in this project", () => {
  test.each([
    ["bash", "run", "npm test -- src", ["bash(npm test:*)"], 'commands that begin with "npm test"'],
    ["bash", "run", "make lint", ["bash(make lint)"], 'the command "make lint"'],
    ["bash", "run", "git commit -m 'a b'", ["bash(git commit -m 'a b')"], "the command \"git commit -m 'a b'\""],
    ["bash", "run", "make a && make b", ["bash(make a)", "bash(make b)"], 'the command "make a", the command "make b"'],
    ["edit", "write", "src/deep/a.ts", ["edit(src/**)"], "change any file in src"],
    ["write", "write", "README.md", ["edit(README.md)"], "change README.md"],
    ["deploy", "use", "{}", ["deploy"], "all calls of deploy"],
    ["web_fetch", "fetch", "https://a.test:8443/x", ["web_fetch(a.test)"], "reach a.test"],
  ] as const)("%s %s %s", async (tool, action, target, texts, words) => {
    const { outcome, questions, kept } = world({}, { answer: "project" });
    expect([await outcome(tool, action, target), await outcome(tool, action, target)]).toEqual(["ask", "allow"]);
    expect([questions[0]?.project, kept]).toEqual([words, [...texts, words]]);
  });

  test.each(["make $x", "$x", "make > out", "nice", "make $[x]", "make 'a\nb'"])(
    "is not offered where no narrow rule can be said: %s",
    async (line) => {
      const { outcome, questions } = world({}, { answer: "once" });
      await outcome("bash", "run", line);
      expect(questions[0]?.project).toBeUndefined();
    },
  );

  test("can be disabled again", async () => {
    const { outcome, permissions } = world({}, { answer: "project" });
    await outcome("bash", "run", "make");
    for (const rule of permissions.rules) permissions.dropRule(rule);
    expect(await outcome("bash", "run", "make")).toBe("ask");
  });
});
