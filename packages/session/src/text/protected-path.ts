/**
 * Paths that decide which programs run. Changing one always needs a separate confirmation. The rule: a file is listed
 * if opening, entering, committing or working in a folder starts something because of it that was not requested by
 * name, or if it replaces a program (a shell, an interpreter, a toolchain) with another. A name that is `.git` on any
 * system is reserved for git.
 *
 * Source code, `package.json`, a Makefile and the settings of linters and tests are not listed: they run when the user
 * runs them. Nor are `.gitattributes`, `.gitmodules` and `.gitignore`, which choose among what git's own configuration
 * defines; tool versions without a path (`.nvmrc`); and files that run on other machines after a push (`.github`).
 */

/** `git`: never written. `runs`: only after a separate confirmation. */
export type Protection = "git" | "runs";

/** Folders and files by name, at any depth: any folder may be the one that is opened, entered or worked in. */
const NAMES = [
  // Agents: extensions, hooks, MCP servers, permissions.
  ...[".bough", ".claude", ".claude.json", ".codex", ".gemini", ".opencode", "opencode.json", "opencode.jsonc", ".pi"],
  ...[".omp", ".cursor", ".mcp.json", ".agents", ".aider.conf.yml", ".amazonq", ".amp", ".augment", ".cline"],
  ...[".continue", ".crush", ".crush.json", "crush.json", ".factory", ".goose", ".junie", ".kilocode", ".kiro"],
  ...[".qwen", ".roo", ".roomodes", ".trae", ".windsurf", ".openhands", ".copilot", ".grok"],
  // Editors: tasks, launch settings, programs they start.
  ...[".vscode", ".vs", ".idea", ".fleet", ".zed", ".nova", ".devcontainer", ".devcontainer.json"],
  ...[".exrc", ".vimrc", ".nvimrc", ".nvim.lua", ".lvimrc", ".dir-locals.el", ".dir-locals-2.el", ".helix"],
  // Git hooks and their managers, and other version control with settings in the folder.
  ...[".husky", ".huskyrc", ".githooks", ".git-hooks", ".lefthook", ".lefthook-local", "lefthook.yml", "lefthook.yaml"],
  ...["lefthook.json", "lefthook.toml", ".lefthook.yml", ".lefthook.yaml", "lefthook-local.yml", ".gitconfig"],
  ...[".pre-commit-config.yaml", ".pre-commit-config.yml", "prek.toml", ".overcommit.yml", ".simple-git-hooks.json"],
  ...[".hg", ".hgrc", ".jj", ".sl"],
  // Shells, and tools that configure them per folder.
  ...[".envrc", ".direnv", ".mise", ".rtx.toml", ".tool-versions", ".autoenv"],
  ...[".profile", ".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".inputrc"],
  ...[".zshrc", ".zshenv", ".zprofile", ".zlogin", ".zlogout", ".cshrc", ".tcshrc", ".kshrc", ".ssh"],
  // Desktop startup, and users' program settings.
  ...[".xprofile", ".xinitrc", ".xsession", ".xsessionrc", ".pam_environment", "launchagents", ".config", ".local"],
  ...[".kube", ".docker", ".aws", ".gnupg", ".curlrc", ".wgetrc"],
  // Tools whose settings name another program or shell.
  ...[".npmrc", ".yarn", ".yarnrc", ".yarnrc.yml", ".pnpmfile.cjs", ".pnpmfile.js", "pnpm-workspace.yaml"],
  ...["bunfig.toml", ".cargo", "rust-toolchain", "rust-toolchain.toml", ".bazelrc", ".mvn"],
  ...["gradle-wrapper.properties", "gradle-wrapper.jar"],
  // Startup files of interpreters and debuggers.
  ...[".gdbinit", ".lldbinit", ".pdbrc", ".irbrc", ".pryrc", ".rprofile", ".renviron", ".octaverc", ".ghci"],
  ...[".ocamlinit", ".iex.exs", ".erlang"],
] as const;
/** Names with more than one form. */
const FORMS = /^\.?mise(?:\.[\w-]+)*\.toml$|^\.lintstagedrc(?:\.\w+)?$|^lint-staged\.config\.\w+$|.\.code-workspace$/;

const RUNS: ReadonlySet<string> = new Set(NAMES);
/** Windows has short forms of long names: six letters of it, or two and a checksum of four, and a number. */
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
  if (RUNS.has(name) || FORMS.test(name)) return "runs";
  const short = SHORT.exec(name)?.[1];
  if (short === undefined) return undefined;
  if (short === "git" || CHECKSUM.test(short)) return "git";
  return SHORT_STARTS.has(short) ? "runs" : undefined;
}

/**
 * The name as some file systems see it: Windows ignores trailing dots and spaces and everything after a colon, macOS
 * ignores invisible characters, and both ignore case.
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
