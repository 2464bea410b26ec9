/**
 * Paths that decide what runs: programs read them on their own and start what they name. A change there needs a question
 * of its own, whoever asks for it. What is `.git` on some system is for git alone.
 *
 * Source code, `package.json` and a Makefile are not here: they run when someone runs them. Nor are `.gitattributes`,
 * `.gitmodules` and `.gitignore`: they choose among what git's own configuration defines.
 */

/** `git`: never written. `runs`: only after a question of its own. */
export type Protection = "git" | "runs";

/** Folders and files by name, at any depth: whichever folder is opened, entered or worked in. */
const NAMES = [
  // Agents: extensions, hooks, MCP servers, permissions.
  ...[".bough", ".claude", ".claude.json", ".codex", ".gemini", ".opencode", "opencode.json", "opencode.jsonc", ".pi"],
  ...[".omp", ".cursor", ".mcp.json", ".agents", ".aider.conf.yml", ".amazonq", ".amp", ".augment", ".cline"],
  ...[".continue", ".crush", ".crush.json", "crush.json", ".factory", ".goose", ".junie", ".kilocode", ".kiro"],
  ...[".qwen", ".roo", ".roomodes", ".trae", ".windsurf"],
  // Editors: tasks, launch settings, programs they start.
  ...[".vscode", ".vs", ".idea", ".fleet", ".zed", ".nova", ".devcontainer", ".devcontainer.json"],
  ...[".exrc", ".vimrc", ".nvimrc", ".nvim.lua", ".dir-locals.el", ".dir-locals-2.el"],
  // Hooks of git and their managers.
  ...[".husky", ".huskyrc", ".githooks", ".git-hooks", ".lefthook", ".lefthook-local", "lefthook.yml", "lefthook.yaml"],
  ...["lefthook.json", "lefthook.toml", ".lefthook.yml", ".lefthook.yaml", "lefthook-local.yml", ".gitconfig"],
  ...[".pre-commit-config.yaml", ".pre-commit-config.yml", ".overcommit.yml", ".simple-git-hooks.json"],
  // Shells, and what sets them up for a folder.
  ...[".envrc", ".direnv", ".mise", ".mise.toml", "mise.toml", ".mise.local.toml", "mise.local.toml", ".autoenv"],
  ...[".profile", ".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".inputrc"],
  ...[".zshrc", ".zshenv", ".zprofile", ".zlogin", ".zlogout", ".cshrc", ".tcshrc", ".kshrc", ".ssh"],
  // Tools whose settings name another program or shell.
  ...[".npmrc", ".yarn", ".yarnrc", ".yarnrc.yml", ".pnpmfile.cjs", ".pnpmfile.js", "bunfig.toml", ".cargo"],
  ...[".bazelrc", ".gdbinit", ".lldbinit", ".pdbrc"],
] as const;

const RUNS: ReadonlySet<string> = new Set(NAMES);
/** Windows has a short name for a long one: six letters of it, or two and four of a checksum, and a number. */
const SHORT_STARTS: ReadonlySet<string> = new Set(NAMES.map(shortStart));
const SHORT = /^([^~.]{1,6})~\d+(?:\.[^.]{0,3})?$/;
const CHECKSUM = /^gi[0-9a-f]{4}$/;

/** Undefined for ordinary paths. Parts are separated by `/` or `\`. */
export function protectionOf(path: string): Protection | undefined {
  let found: Protection | undefined;
  for (const part of path.split(/[/\\]/)) {
    const protection = protectionOfName(part);
    if (protection === "git") return "git";
    found ??= protection;
  }
  return found;
}

function protectionOfName(part: string): Protection | undefined {
  const name = plainName(part);
  if (name === ".git") return "git";
  if (RUNS.has(name)) return "runs";
  const short = SHORT.exec(name)?.[1];
  if (short === undefined) return undefined;
  if (short === "git" || CHECKSUM.test(short)) return "git";
  return SHORT_STARTS.has(short) ? "runs" : undefined;
}

/**
 * What some file system takes a name for: Windows ignores dots and spaces at its end and everything after a colon, macOS
 * ignores characters that are not seen, and both take upper for lower case.
 */
export function plainName(part: string): string {
  return part
    .replace(/:.*$/su, "")
    .normalize("NFKC")
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}]/gu, "")
    .toLowerCase()
    .replace(/[\s.]+$/u, "")
    .trimStart();
}

function shortStart(name: string): string {
  return name.replace(/^\.+/, "").replace(/\..*$/s, "").slice(0, 6);
}
