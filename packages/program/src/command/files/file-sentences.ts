/** What happened to files, in sentences. */
import type { BringFilesOptions } from "@bough/agent/agent/index.js";
import type { MovedFiles } from "@bough/agent/extension/index.js";
import { counted, joinNotices, type Notice, namedPaths, withoutControls } from "@bough/session/text/index.js";

/** "Restored 2 files, deleted 1. 1 file kept as you changed it."; an empty message if there is nothing to say. */
export function movedFilesNotice(files: MovedFiles | undefined): Notice {
  switch (files?.kind) {
    case undefined:
      return { message: "" };
    case "followed":
      return { message: followedSentence(files) };
    case "stayed": {
      const { differing, recordedOn } = files;
      const stayed = `Files unchanged: ${counted(differing, "file")} on disk ${differing === 1 ? "differs" : "differ"} from this position.`;
      return joinNotices(stayed, machineNotice(recordedOn));
    }
    case "cancelled":
      return { message: "An extension kept the files as they are." };
    case "failed": {
      const message = withoutControls(files.message).replace(/[.]$/, "");
      return joinNotices({
        message: `Files unchanged: ${message}.`,
        hint: withoutControls(files.hint ?? ""),
      });
    }
  }
}

/** The same after a merge or a cherry-pick, with the files in which conflicts are marked. */
export function broughtFilesNotice(
  files: MovedFiles | undefined,
  { conflicts }: Pick<BringFilesOptions, "conflicts"> = {},
): Notice {
  if (files === undefined) return { message: "Files are unchanged." };
  if (files.kind === "followed") {
    const marked = typeof conflicts === "object" ? files.written.filter((path) => conflicts[path] === "markers") : [];
    const message = followedSentence(files, "Brought") || "Files are unchanged.";
    return marked.length === 0
      ? { message }
      : { message, hint: `Resolve the conflicts marked in ${someNamed(marked)}.` };
  }
  if (files.kind !== "stayed") return movedFilesNotice(files);
  return joinNotices("Files are unchanged.", machineNotice(files.recordedOn, MERGED));
}

/** The most paths that are named. */
const NAMED = 5;

/** Nothing was brought: a person has to choose. */
export function conflictsNotice(conflicts: readonly { readonly path: string }[]): Notice {
  const named = someNamed(conflicts.map(({ path }) => path));
  return {
    message: `Nothing was merged: ${counted(conflicts.length, "file")} changed on both sides: ${named}.`,
    hint: "Merge where Bough can ask, without files, or say what to do with conflicts.",
  };
}

function someNamed(paths: readonly string[]): string {
  const more = paths.length > NAMED ? `, and ${paths.length - NAMED} more` : "";
  return `${namedPaths(paths.slice(0, NAMED))}${more}`;
}

const MOVED = { setting: "files.onMove", hint: "/restore applies them." } as const;
const MERGED = { setting: "files.onMerge", hint: "Repeat the command with --files to bring them." } as const;

/** Why the setting was not enough. */
function machineNotice(
  machines: readonly string[] = [],
  { setting, hint }: typeof MOVED | typeof MERGED = MOVED,
): Notice {
  if (machines.length === 0) return { message: "" };
  return {
    message: `They were recorded on another machine (${withoutControls(machines.join(", "))}), so ${setting} does not apply them.`,
    hint,
  };
}

function followedSentence(
  files: Extract<MovedFiles, { kind: "followed" }>,
  verb: "Restored" | "Brought" = "Restored",
): string {
  const { written, deleted, kept, missing, protected: guarded = [] } = files;
  const parts: string[] = [];
  if (written.length > 0)
    parts.push(`${verb} ${counted(written.length, "file")}${deleted.length > 0 ? `, deleted ${deleted.length}` : ""}.`);
  else if (deleted.length > 0) parts.push(`Deleted ${counted(deleted.length, "file")}.`);
  if (kept.length > 0)
    parts.push(`${counted(kept.length, "file")} kept as you changed ${kept.length === 1 ? "it" : "them"}.`);
  if (missing.length > 0)
    parts.push(`${counted(missing.length, "file")} left alone: stored content missing or damaged.`);
  if (guarded.length > 0) parts.push(`Left alone, because it decides what runs: ${namedPaths(guarded)}.`);
  return parts.join(" ");
}
