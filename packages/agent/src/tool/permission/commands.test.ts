import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { boughHome } from "@bough/session/session/index.js";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import type { PermissionAnswer, PermissionMode, PermissionQuestion } from "../tool.js";
import { createPermissions } from "./permissions.js";
import { parseRule, type Rule, type RuleEffect } from "./rule/rule.js";
import { parseShell } from "./shell/parse-shell.js";

type Rules = Partial<Record<RuleEffect, readonly string[]>>;

function parsed(rules: Rules): readonly Rule[] {
  return Object.entries(rules).flatMap(([effect, texts]) =>
    texts.map((text) => parseRule(text, { effect: effect as RuleEffect, source: { kind: "user" } })),
  );
}

interface WorldOptions {
  readonly mode?: PermissionMode;
  readonly answer?: PermissionAnswer;
  readonly rules?: Rules;
}

function world({ mode = "auto", answer = "no", rules = {} }: WorldOptions = {}) {
  const base = realpathSync(tempFolder());
  const cwd = join(base, "project");
  for (const folder of [".git/hooks", ".bough", "src", "sub"]) mkdirSync(join(cwd, folder), { recursive: true });
  mkdirSync(join(base, "elsewhere"));
  for (const name of [".env", "a", "src/a.ts"]) writeFileSync(join(cwd, name), "x\n");
  symlinkSync(".git", join(cwd, "link"));
  symlinkSync(".env", join(cwd, "other-name"));
  const questions: PermissionQuestion[] = [];
  const ask = async (question: PermissionQuestion): Promise<PermissionAnswer> => {
    questions.push(question);
    return answer;
  };
  const permissions = createPermissions({ mode, cwd, ask, rules: parsed(rules) });
  const outcome = async (target: string): Promise<"allow" | "ask" | "deny"> => {
    const before = questions.length;
    const { allowed } = await permissions.permit({ tool: "bash", action: "run", target });
    return questions.length > before ? "ask" : allowed ? "allow" : "deny";
  };
  const outcomes = async (lines: readonly string[]): Promise<Readonly<Record<string, string>>> => {
    const made: Record<string, string> = {};
    for (const line of lines) made[line] = await outcome(line);
    return made;
  };
  return { base, cwd, questions, permissions, outcome, outcomes };
}

function each(lines: readonly string[], answer: string): Readonly<Record<string, string>> {
  return Object.fromEntries(lines.map((line) => [line, answer]));
}

describe("a command that changes what decides what runs, or something outside", () => {
  const here = [
    "echo x > .git/hooks/post-checkout",
    "echo x >> .git/config",
    "echo x > .GIT/config",
    "echo x > link/config",
    "echo x > .bough/settings.json",
    "cd src && echo x > ../.bough/settings.json",
    "cp a .git/hooks/",
    "cp -t .git/hooks a",
    "cp a --target-directory=.git/hooks",
    "mv .git/hooks sub",
    "ln -s ../a .git/hooks/x",
    "install a .git/hooks/x",
    "cat a | tee .git/config",
    "sed -i s/a/b/ .git/config",
    "rm -rf .git",
    "rm -rf .gi*",
    "mkdir .bough/extensions",
    "touch .bough/x",
    "dd if=a of=.git/config",
    "truncate -s 0 .git/index",
    "sudo tee .git/config < a",
    "git config core.hooksPath evil",
    // Outside the safe subset of the shell language.
    "(echo x) > .git/config",
    "for f in a b; do echo $f > .git/hooks/x; done",
    "if true; then cp a .bough/; fi",
    "bash -lc 'echo x > .git/config'",
    'ls "$(echo x > .git/config)"',
    "echo x > $y",
    "f=.git/config; echo x > $f",
    "echo x > ../elsewhere/a",
    "cp a ../elsewhere/a",
    "rm -rf ..",
    "echo x > ~/a",
    "cat < /etc/hosts",
  ];

  test("asks in mode auto, and in mode ask although all commands were allowed for the session", async () => {
    expect(await world().outcomes(here)).toEqual(each(here, "ask"));
    const granted = world({ mode: "ask", answer: "session" });
    await granted.outcome("make");
    expect(granted.permissions.grants.map(({ words }) => words)).toEqual(["all shell commands"]);
    const again = here.filter((line) => !/elsewhere|\.\.$|~|etc/.test(line));
    expect(await granted.outcomes(again)).toEqual(each(again, "ask"));
  });

  test("in Bough's own folder too", async () => {
    expect(await world().outcome(`echo x > ${join(boughHome(), "settings.json")}`)).toBe("ask");
  });

  test("is refused if no one can be asked, in one sentence", async () => {
    const { cwd } = world();
    const { permit } = createPermissions({ mode: "auto", cwd });
    expect(await permit({ tool: "bash", action: "run", target: "echo x > .git/config" })).toEqual({
      allowed: false,
      reason:
        "Refused because it needs confirmation, which is not possible here (Files in .git can make git run commands): echo x > .git/config",
    });
    const rules = [parseRule("edit(src/a)", { effect: "deny", source: { kind: "user" } })];
    const reasons: string[] = [];
    for (const [target, options] of [
      ["make -C .git", {}],
      ["make", { rules }],
      ["rm -r src", { rules }],
    ] as const) {
      const decision = await createPermissions({ mode: "auto", cwd, ...options }).permit({
        tool: "bash",
        action: "run",
        target,
      });
      reasons.push(/\((.*)\)/.exec(decision.allowed ? "" : decision.reason)?.[1] ?? "");
    }
    expect(reasons).toEqual([
      "Files in .git can make git run commands",
      "The rule deny edit(src/a) may apply. It is unknown what this command reads and writes",
      "The rule deny edit(src/a) may apply. The command may change files that this rule matches",
    ]);
  });

  test("is not covered by a rule for the command; outside, by one for the folder", async () => {
    const { base, outcomes } = world({ mode: "ask", rules: { allow: ["bash(cp:*)", "edit(**)"] } });
    const lines = ["cp a src/b", "cp a .git/config", "cp a ../elsewhere/b"];
    expect(await outcomes(lines)).toEqual({
      [lines[0] ?? ""]: "allow",
      [lines[1] ?? ""]: "ask",
      [lines[2] ?? ""]: "ask",
    });
    const open = world({ mode: "auto", rules: { allow: [`edit(${base}/elsewhere/**)`, "bash(cp:*)"] } });
    expect(await open.outcome(`cp a ${open.base}/elsewhere/b`)).toBe("ask");
    const own = world({ mode: "ask", rules: { allow: ["edit(/tmp/**)", "bash(cp:*)"] } });
    expect(await own.outcome("cp a /tmp/bough-some-file")).toBe("allow");
  });

  test("other commands run in auto, and an answer for the session covers a folder outside", async () => {
    const { outcomes } = world();
    const lines = [
      "make",
      "echo x > src/b",
      "rm -rf sub",
      "cp /etc/hosts src/",
      "cat .git/config",
      "x=1; echo $x",
      "git commit -m x",
    ];
    expect(await outcomes(lines)).toEqual(each(lines, "allow"));
    const { outcome, permissions } = world({ answer: "session" });
    expect([
      await outcome("echo x > ../elsewhere/a"),
      await outcome("echo y > ../elsewhere/b"),
      await outcome("echo y > ../elsewhere/b > ../c"),
    ]).toEqual(["ask", "allow", "ask"]);
    expect(permissions.grants[0]?.words).toMatch(/^all shell commands that name files in .*\/elsewhere$/);
  });
});

describe("a file that is denied", () => {
  const rules = { allow: ["bash(npm test:*)", "bash(cat:*)"], deny: ["read(.env)"] };

  test("is not read by a command whose words say so; one sentence says by which rule", async () => {
    const { permissions, outcomes } = world({ rules });
    expect(await permissions.permit({ tool: "bash", action: "run", target: "cat .env" })).toEqual({
      allowed: false,
      reason: "Refused by rule deny read(.env): cat .env",
    });
    const lines = [
      "cat ./.env",
      "cat .ENV",
      "cat other-name",
      "cat src/../.env",
      "cd src && cat ../.env",
      "cat < .env",
      "cp .env b",
      "cat .e*",
    ];
    expect(await outcomes(lines)).toEqual(each(lines, "deny"));
  });

  test("asks where it may be read", async () => {
    const { outcomes } = world({ rules });
    const lines = [
      "grep -r x .",
      "grep -rn x",
      "rg --hidden x",
      "git show HEAD:.env",
      "node a.js .env",
      "make",
      "cat $x",
      "python a.py",
      "base64 -d --file=.env",
    ];
    expect(await outcomes(lines)).toEqual(each(lines, "ask"));
  });

  test("does not stop commands that cannot read it, or that a rule allows", async () => {
    const { outcomes } = world({ rules });
    const lines = [
      "cat a",
      "grep -r x src",
      "rg x",
      "ls -la",
      "npm test",
      "cat src/*.ts",
      "echo .env",
      "rm -rf sub",
      "git status",
    ];
    expect(await outcomes(lines)).toEqual(each(lines, "allow"));
  });
});

describe("a command that is denied", () => {
  test("does not run in any disguise; if the words do not tell, it asks", async () => {
    const { outcomes } = world({ rules: { deny: ["bash(rm:*)"] } });
    const denied = [
      "rm a",
      "/bin/rm a",
      "time -p rm a",
      "bash <<< 'rm a'",
      "echo rm a | sh",
      "rbash -c 'rm a'",
      "npm exec -- rm a",
      "env rm a",
      "nohup rm a",
      "ls | xargs rm",
      "timeout 5 rm a",
      "sudo rm a",
      "(rm a)",
    ];
    expect(await outcomes(denied)).toEqual(each(denied, "deny"));
    const asked = ["RM a", "x rm a", "$x a", "r?m a", 'eval "$x"'];
    expect(await outcomes(asked)).toEqual(each(asked, "ask"));
    const allowed = ["make", "echo rm", "grep rm a", "ls"];
    expect(await outcomes(allowed)).toEqual(each(allowed, "allow"));
  });
});

describe("bad input", () => {
  test("a line that changes to too many folders asks where it writes", async () => {
    const { outcome } = world();
    const lines = [
      `$x;${"cd a; ".repeat(3000)}echo > b`,
      `$x;${"cd .; ".repeat(3000)}echo > b`,
      "$x; cd src; echo > b",
    ];
    const answers: string[] = [];
    for (const line of lines) answers.push(await outcome(line));
    expect(answers).toEqual(["ask", "ask", "allow"]);
  });

  test("a command line of a megabyte asks at once, whatever is in it", async () => {
    const { outcome } = world({ mode: "ask", rules: { allow: ["bash(ls:*)"], deny: ["read(.env)", "bash(rm:*)"] } });
    for (const piece of ["a", "$(", "ls;", "'", "<<E\n", "> a ", "{", "\\\n", "`"]) {
      expect(await outcome(`ls ${piece.repeat(Math.ceil(1_000_000 / piece.length))}`)).toBe("ask");
    }
  });

  test("a hundred thousand rules decide like a few", async () => {
    const many = Array.from({ length: 33_333 }, (_, at) => at);
    const { outcomes } = world({
      mode: "ask",
      rules: {
        allow: [...many.map((at) => `bash(tool${at}:*)`), "bash(cat:*)"],
        ask: many.map((at) => `bash(git tool${at})`),
        deny: [
          ...many.map((at) => `read(file${at})`),
          ...many.slice(0, 1000).map((at) => `read(**/key${at}.*)`),
          "read(.env)",
        ],
      },
    });
    const lines = ["cat a", "tool7 x", "git tool9", "cat file12", "cat .env", "cat src/key3.pem", "make"];
    expect(Object.values(await outcomes(lines))).toEqual(["allow", "allow", "ask", "deny", "deny", "deny", "ask"]);
  });
});

describe("what depends on the shell", () => {
  const facts = { isBash: true, version: 5, cwd: "/w", userHome: "/h" };
  const message = 'git commit -m "$(cat <<\'EOF\'\nIt\'s "done" $(x) `y`)\n\nEOF\n)"';
  const words = (line: string, given = facts) => {
    const { unknown, commands } = parseShell(line, given);
    return unknown.length > 0 ? "not certain" : commands.map((command) => command.words.map(({ text }) => text));
  };

  test("a message in a here-document is known with bash 5 or newer", () => {
    expect(words(message)).toEqual([["git", "commit", "-m", 'It\'s "done" $(x) `y`)']]);
    expect([words(message, { ...facts, version: 4 }), words(message, { ...facts, isBash: false })]).toEqual([
      "not certain",
      "not certain",
    ]);
  });

  test("&> and |& are known in bash, sh -c only if the shell is bash", () => {
    const lines = ["ls &> /dev/null", "ls |& cat", "sh -c 'ls a'"];
    expect(lines.map((line) => words(line))).toEqual([[["ls"]], [["ls"], ["cat"]], [["ls", "a"]]]);
    const dash = { ...facts, isBash: false };
    expect(lines.map((line) => words(line, dash))).toEqual(["not certain", "not certain", [["sh", "-c", "ls a"]]]);
  });
});

describe("what the page on permissions says a rule allows", () => {
  const allow = ["ls", "cat", "npm test", "sort", "git log", "deploy", "sed", "cd packages/core"].map(
    (name) => `bash(${name}:*)`,
  );

  test("lines of the language that is certain", async () => {
    const { outcomes } = world({ mode: "ask", rules: { allow: [...allow, "edit(out.txt)"] } });
    const lines = [
      ...[
        "ls a 'a b' \"a b\" a\\ b",
        "ls && ls || ls; ls | cat # c\nls",
        "ls > out.txt",
        "ls >> out.txt 2>&1",
        "cat < a >/dev/null",
      ],
      ...[
        "ls &> /dev/null |& cat",
        "cat <<'EOF'\n$x\nEOF",
        "deploy <<'EOF'\nx\nEOF",
        "ls src/*.ts ./*",
        'ls ~/a "$HOME/a" "$PWD" $(pwd)',
      ],
      ...[
        "npm test; echo $?",
        "cd src && ls",
        "CI=1 NODE_ENV=test NO_COLOR=1 LC_ALL=C npm test",
        "timeout 60 npm test",
        "sh -c 'npm test'",
      ],
      ...[
        "[ -f a ] && ls || true",
        "deploy --any --option=x",
        "npm test -- --config x",
        "cd packages/core && npm test",
      ],
    ];
    expect(await outcomes(lines)).toEqual(each(lines, "allow"));
  });

  test("everything else asks", async () => {
    const { outcomes } = world({ mode: "ask", rules: { allow: [...allow, "edit(out.txt)", "bash(python:*)"] } });
    const lines = [
      ...[
        "ls à",
        "cd src > out.txt && ls",
        "npm test --unknown=a",
        "ls $x",
        "ls $(ls)",
        "ls `ls`",
        "ls $'a'",
        "ls {a,b}",
        "ls $((1+1))",
        "ls & ls",
        "(ls)",
        "{ ls; }",
        "! ls",
      ],
      ...[
        "if ls; then ls; fi",
        "for f in a; do ls; done",
        "while ls; do ls; done",
        "case a in a) ls;; esac",
        "f() { ls; }",
      ],
      ...[
        "cat <<< a",
        "cat <(ls)",
        "ls >&out.txt",
        "ls > $x",
        "cat <<EOF\na\nEOF",
        "python <<'EOF'\nx\nEOF",
        "ls *.ts",
        "ls && cd src",
      ],
      ...["X=1 ls", "ls | xargs cat", "env ls", "nohup ls", "time ls", "eval ls", "sudo ls", "cd src && npm test"],
      ...[
        "sort -o x a",
        "git log --output=x",
        "npm test --prefix x",
        "npm test /elsewhere",
        "sort --unknown",
        "git -C src log",
      ],
    ];
    expect(await outcomes(lines)).toEqual(each(lines, "ask"));
  });

  test("a rule that names an option covers it, and :** covers every option", async () => {
    const { outcomes } = world({ mode: "ask", rules: { allow: ["bash(sort -o out.txt:*)", "bash(uniq:**)"] } });
    const lines = ["sort -o out.txt -r a", "uniq --any a b", "sort -o out.txt -o x", "sort -o x"];
    expect(Object.values(await outcomes(lines))).toEqual(["allow", "allow", "ask", "ask"]);
  });
});
