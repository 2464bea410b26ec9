/** Whether a git configuration says only what `git init`, `git clone` and `git remote add` write. */

/** By section. Nothing here names a program, a file or another configuration. */
const HARMLESS: Readonly<Record<string, readonly string[]>> = {
  core: [
    ...["repositoryformatversion", "filemode", "bare", "logallrefupdates", "ignorecase", "precomposeunicode"],
    ...["symlinks", "autocrlf", "eol", "safecrlf", "longpaths", "sparsecheckout", "sparsecheckoutcone"],
  ],
  remote: [
    "url",
    "pushurl",
    "fetch",
    "tagopt",
    "prune",
    "mirror",
    "promisor",
    "partialclonefilter",
    "skipdefaultupdate",
  ],
  branch: ["remote", "merge", "rebase", "description"],
  submodule: ["url", "active", "branch"],
  extensions: ["objectformat", "partialclone", "refstorage", "preciousobjects", "relativeworktrees"],
  user: ["name", "email"],
  init: ["defaultbranch"],
  index: ["version"],
  pull: ["rebase", "ff"],
  push: ["default", "autosetupremote"],
  lfs: ["repositoryformatversion"],
};

const SECTION = /^\[\s*([a-z][\w-]*)(?:\s+"(?:[^"\\]|\\.)*"|\.[^\]\s"]*)?\s*\]\s*(?:[#;].*)?$/i;
const SETTING = /^([a-z][\w-]*)\s*(?:=\s*(.*))?$/i;

/** `before` is an earlier configuration of the same repository: what it said is not new. */
export function isHarmlessGitConfig(text: string, before = ""): boolean {
  const known = new Set(settingsIn(before)?.map(({ line }) => line));
  const settings = settingsIn(text);
  return settings?.every(({ line, isHarmless }) => isHarmless || known.has(line)) === true;
}

interface Setting {
  /** With its section. */
  readonly line: string;
  readonly isHarmless: boolean;
}

/** Undefined if a line cannot be read with certainty. */
function settingsIn(text: string): readonly Setting[] | undefined {
  const settings: Setting[] = [];
  let header = "";
  let keys: readonly string[] = [];
  for (const line of text.split(/\r?\n/)) {
    const plain = line.trim();
    if (plain === "" || /^[#;]/.test(plain)) continue;
    // A value that goes on in the next line could hide anything.
    if (plain.endsWith("\\")) return undefined;
    const section = SECTION.exec(plain)?.[1];
    if (section !== undefined) {
      header = plain;
      keys = HARMLESS[section.toLowerCase()] ?? [];
      continue;
    }
    const [, key, value = ""] = SETTING.exec(plain) ?? [];
    if (key === undefined) return undefined;
    // `ext::sh -c x` runs a program, and a value that looks like an option may become one.
    const isRisky = /url$/i.test(key) && (/::/.test(value) || /^["']?-/.test(value));
    settings.push({ line: `${header}\n${plain}`, isHarmless: keys.includes(key.toLowerCase()) && !isRisky });
  }
  return settings;
}
