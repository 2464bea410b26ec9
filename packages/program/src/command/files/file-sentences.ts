/** What became of files, in sentences. */
import type { MovedFiles } from "@bough/agent/extension/index.js";
import { counted, namedPaths, withoutControls } from "@bough/session/text/index.js";

/** "Restored 2 files, deleted 1. 1 file kept as you changed it."; "" if there is nothing to say. */
export function movedFilesSentence(files: MovedFiles | undefined): string {
  if (files === undefined) return "";
  switch (files.kind) {
    case "followed":
      return followedSentence(files);
    case "stayed":
      return `Files stayed: ${counted(files.differing, "file")} on disk ${files.differing === 1 ? "is" : "are"} not from here.${machineSentence(files.recordedOn)}`;
    case "cancelled":
      return "An extension kept the files as they are.";
    case "failed": {
      const message = withoutControls(files.message).replace(/[.]$/, "");
      return [`Files stayed as they were: ${message}.`, withoutControls(files.hint ?? "")].join(" ").trim();
    }
  }
}

/** Why the setting was not enough. */
function machineSentence(machines: readonly string[] = []): string {
  if (machines.length === 0) return "";
  return ` They were recorded on another machine (${withoutControls(machines.join(", "))}), so files.onMove does not apply them. /restore does.`;
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

/** Whether files were not restored as asked. */
export function filesFailed(files: MovedFiles | undefined): boolean {
  return files?.kind === "failed";
}
