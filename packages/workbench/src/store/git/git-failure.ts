/** Interprets a failure of git: its output becomes an error with a code, or a reason to try again. */
import { StoreError } from "../store-error.js";
import { type GitAddress, withoutLogin } from "./git-address.js";
import type { GitOutput } from "./git-run.js";

const DAMAGED = [
  /not a git repository: /,
  /bad object|missing object|broken ref|reference broken|unable to resolve reference|invalid sha1 pointer/,
  /not a tree object|(?:Blob|Tree|Commit) not found|Can't load tree|Not a valid (?:object|commit)/,
  /is corrupt|object file .* is empty|unable to (?:unpack|parse|read (?:tree|[0-9a-f]{40}))|inflate: /,
  /bad config|packfile .* (?:cannot|could not|does not)|did not send all necessary objects|unresolved deltas?/,
];
const LOCKED = /Unable to create '.*\.lock'|cannot lock ref/;
const RACED = /non-fast-forward|fetch first|stale info|cannot lock ref/;
const REFUSED = /denied|rejected|forbidden|authentication|could not read (?:Username|Password)|40[13]\b|not allowed/i;
const FULL = /no space left|disk quota/i;
const OTHER_HASH = /mismatched algorithms|hash algorithm/i;
/** What git says when the remote's repository is damaged. */
const DAMAGED_THERE = /repository corruption on the remote side/;
const PROGRESS = /\d+% \(|: \d+, done|: done\.|^remote: (?:Enumerating|Counting|Compressing|Total) /;

/**
 * `damaged`: our own repository. `busy`: another process is writing at the same moment, or was killed while writing.
 */
export function reasonOf({ stderr, isSilent }: GitOutput): "damaged" | "busy" | "other" {
  if (isSilent) return "other";
  // Messages of the remote are not about our own repository.
  const own = linesIn(stderr).filter((line) => !line.startsWith("remote:"));
  if (own.some((line) => DAMAGED.some((one) => one.test(line)))) return "damaged";
  return LOCKED.test(stderr) || RACED.test(stderr) ? "busy" : "other";
}

/** Git's output as an error, without credentials. */
export function gitError(output: GitOutput, address: GitAddress): StoreError {
  const { shown } = address;
  const hint = "Nothing was lost. The next sync tries again.";
  if (output.isSilent) return new StoreError("store-unreachable", `${shown} did not answer`, { hint });
  const lines = linesIn(withoutLogin(output.stderr, address));
  const said = lines.find((line) => /^(?:fatal|error|remote|ssh)/.test(line)) ?? lines.at(-1) ?? "";
  if (FULL.test(output.stderr)) return new StoreError("store-full", `No space left in ${shown}`);
  if (OTHER_HASH.test(output.stderr)) {
    const hint = "Create the repository with: git init --object-format=sha1";
    return new StoreError("store-refused", `${shown} uses SHA-256 object names, which stores do not support`, { hint });
  }
  if (REFUSED.test(output.stderr)) {
    const hint =
      "Check that you can push there with git, and that refs/bough/* and refs/bough-files/* are not protected.";
    return new StoreError("store-refused", `${shown} refused: ${said}`, { hint });
  }
  if (LOCKED.test(output.stderr)) {
    const hint = "Try again. A lock that a killed program left behind is removed after ten minutes.";
    return new StoreError("store-unreachable", `Another program is using the copy of ${shown} on this machine`, {
      hint,
    });
  }
  if (reasonOf(output) === "damaged" || DAMAGED_THERE.test(output.stderr)) return damagedCopy(shown, said);
  return new StoreError("store-unreachable", `Cannot reach ${shown}: ${said}`, { hint });
}

export function damagedCopy(shown: string, why: string): StoreError {
  return new StoreError("store-damaged", `Cannot read ${shown}: ${why}`, {
    hint: "Check the repository there with git fsck.",
  });
}

/** The lines of git's output, without progress reports. */
function linesIn(stderr: string): readonly string[] {
  return stderr
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== "" && !PROGRESS.test(line));
}
