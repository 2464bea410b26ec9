/** The file a repaired session is written to: it never takes another's name. */
import { basename, dirname, join } from "node:path";
import { SessionError } from "../../entry/index.js";
import { WholeFile } from "../../log/index.js";

/** Its bytes can be read back before it gets its name. */
export function newRepairedFile(path: string, out: string | undefined): WholeFile {
  const name = out ?? repairedName(path, 1);
  return new WholeFile(name, { existing: "refuse", durable: true, failure: (cause) => writeFailed(name, cause) });
}

/** `<name>.repaired.jsonl`, then `<name>.repaired-2.jsonl` and so on. */
export function* repairedNames(path: string): Generator<string> {
  for (let i = 1; ; i++) yield repairedName(path, i);
}

function repairedName(path: string, i: number): string {
  const name = basename(path)
    .replace(/\.jsonl$/, "")
    .replace(/\.repaired(-\d+)?$/, "");
  return join(dirname(path), `${name}.repaired${i === 1 ? "" : `-${i}`}.jsonl`);
}

function writeFailed(path: string, cause: unknown): SessionError {
  const code = (cause as { code?: unknown } | null)?.code;
  if (code === "EEXIST") {
    return new SessionError("write-failed", "The file for the repaired session already exists", {
      hint: "Choose another file name, or move that file.",
    });
  }
  return new SessionError(
    code === "ENOSPC" || code === "EDQUOT" ? "disk-full" : "write-failed",
    `Could not write ${path}`,
    {
      data: { path, systemCode: code },
      hint: "The original was not touched. Check the folder and its free space.",
      cause,
    },
  );
}
