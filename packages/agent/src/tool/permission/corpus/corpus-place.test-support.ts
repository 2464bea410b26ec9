/** A folder for permission requests about command lines, and the answers. */
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { tempFolder } from "../../../../../../test/support/temp-folder.js";
import type { PermissionMode } from "../../tool.js";
import { askedRequest, verdictOn } from "../asked-request.js";
import { parseRule, RULE_EFFECTS, type Rule } from "../rule/rule.js";
import { parseShell } from "../shell/parse-shell.js";
import type { CorpusRules } from "./corpus-table.test-support.js";

/** With a repository, a planted bare repository, and a file with secrets. */
export function corpusPlace(): string {
  const cwd = join(realpathSync(tempFolder()), "place");
  for (const folder of ["packages/core", "src/generated", "src/secret", "test", "docs", "nested/.bough", ".bough"]) {
    mkdirSync(join(cwd, folder), { recursive: true });
  }
  for (const repository of [".git", "bare"]) {
    for (const folder of ["objects", "refs", "hooks"]) mkdirSync(join(cwd, repository, folder), { recursive: true });
    writeFileSync(join(cwd, repository, "HEAD"), "ref: refs/heads/main\n");
    writeFileSync(join(cwd, repository, "config"), `[core]\n\tbare = ${repository === "bare"}\n`);
  }
  symlinkSync(".git", join(cwd, "git-link"));
  for (const [name, text] of Object.entries({
    ".env": "KEY=1\n",
    a: "b\na\n",
    "src/a.ts": "a\n",
    "README.md": "#\n",
  })) {
    writeFileSync(join(cwd, name), text);
  }
  writeFileSync(join(cwd, "package.json"), '{"scripts":{"test":"true"}}\n');
  return cwd;
}

export function parsedRules(rules: CorpusRules): readonly Rule[] {
  return RULE_EFFECTS.flatMap((effect) =>
    (rules[effect] ?? []).map((text) => parseRule(text, { effect, source: { kind: "user" } })),
  );
}

interface AnswerOptions {
  readonly rules: readonly Rule[];
  readonly cwd: string;
  readonly mode?: PermissionMode;
  /** The shell that the line would run in. Default: the shell of this machine. */
  readonly shell?: "bash" | "dash";
}

/** The decision about a line before the user is asked. */
export async function answerTo(
  line: string,
  { rules, cwd, mode = "ask", shell }: AnswerOptions,
): Promise<"allow" | "ask" | "deny"> {
  const facts = { isBash: shell !== "dash", version: 0, cwd, userHome: homedir() };
  if (shell === "dash" && parseShell(line, facts).unknown.length > 0) return "ask";
  const asked = await askedRequest({ tool: "bash", action: "run", target: line }, cwd);
  return verdictOn(asked, { mode, rules }).kind;
}
