/** What happened to files, in sentences. */
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

/** Why the setting was not enough. */
function machineNotice(machines: readonly string[] = []): Notice {
  if (machines.length === 0) return { message: "" };
  return {
    message: `They were recorded on another machine (${withoutControls(machines.join(", "))}), so files.onMove does not apply them.`,
    hint: "/restore applies them.",
  };
}

function followedSentence({
  written,
  deleted,
  kept,
  missing,
  protected: guarded = [],
}: Extract<MovedFiles, { kind: "followed" }>): string {
  const parts: string[] = [];
  if (written.length > 0)
    parts.push(
      `Restored ${counted(written.length, "file")}${deleted.length > 0 ? `, deleted ${deleted.length}` : ""}.`,
    );
  else if (deleted.length > 0) parts.push(`Deleted ${counted(deleted.length, "file")}.`);
  if (kept.length > 0)
    parts.push(`${counted(kept.length, "file")} kept as you changed ${kept.length === 1 ? "it" : "them"}.`);
  if (missing.length > 0)
    parts.push(`${counted(missing.length, "file")} left alone: stored content missing or damaged.`);
  if (guarded.length > 0) parts.push(`Left alone, because it decides what runs: ${namedPaths(guarded)}.`);
  return parts.join(" ");
}
