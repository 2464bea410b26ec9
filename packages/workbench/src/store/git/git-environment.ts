/** The environment for running git on a repository other than the one Bough may have been started from. */

/**
 * What `git rev-parse --local-env-vars` lists in all versions of git. Hooks, aliases and `git rebase --exec` set them
 * for the programs they run: with them, git would use the surrounding repository, index or work tree.
 */
const OF_A_REPOSITORY = [
  "GIT_ALTERNATE_OBJECT_DIRECTORIES",
  "GIT_CONFIG",
  "GIT_CONFIG_PARAMETERS",
  "GIT_CONFIG_COUNT",
  "GIT_OBJECT_DIRECTORY",
  "GIT_DIR",
  "GIT_WORK_TREE",
  "GIT_IMPLICIT_WORK_TREE",
  "GIT_GRAFT_FILE",
  "GIT_INDEX_FILE",
  "GIT_NO_REPLACE_OBJECTS",
  "GIT_REPLACE_REF_BASE",
  "GIT_PREFIX",
  "GIT_INTERNAL_SUPER_PREFIX",
  "GIT_SHALLOW_FILE",
  "GIT_COMMON_DIR",
];

/**
 * Other variables that change which objects, refs and files git sees, how it names them, or what its output looks like.
 */
const MISLEADING = [
  "GIT_QUARANTINE_PATH",
  "GIT_NAMESPACE",
  "GIT_DEFAULT_HASH",
  "GIT_DEFAULT_REF_FORMAT",
  "GIT_REF_URI",
  "GIT_REFERENCE_BACKEND",
  "GIT_INDEX_VERSION",
  "GIT_CEILING_DIRECTORIES",
  "GIT_DISCOVERY_ACROSS_FILESYSTEM",
  "GIT_ATTR_SOURCE",
  "GIT_LITERAL_PATHSPECS",
  "GIT_GLOB_PATHSPECS",
  "GIT_NOGLOB_PATHSPECS",
  "GIT_ICASE_PATHSPECS",
  "GIT_EXTERNAL_DIFF",
  "GIT_PUSH_OPTION_COUNT",
  "GIT_REFLOG_ACTION",
];

/** Pairs that only take effect together with `GIT_CONFIG_COUNT`. */
const PAIR = /^GIT_CONFIG_(?:KEY|VALUE)_\d+$/;

/** This process's environment without variables that name a repository or configure a single call of git. */
export function gitEnvironment(environment: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const left = new Set([...OF_A_REPOSITORY, ...MISLEADING]);
  // Variable names are case-insensitive on Windows.
  const isKept = (name: string) => !left.has(name.toUpperCase()) && !PAIR.test(name.toUpperCase());
  return Object.fromEntries(Object.entries(environment).filter(([name]) => isKept(name)));
}
