/** Which project folders the user trusts to bring code and settings of their own. */
import { readFileSync, realpathSync, renameSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { writeWhole } from "@bough/session/log/index.js";
import { boughHome } from "@bough/session/session/index.js";
import { z } from "zod";
import { failureSentence, systemCode } from "../tool-failure.js";

const schema = z.object({ version: z.literal(1), folders: z.record(z.string(), z.enum(["yes", "no"])) });
type TrustFile = z.output<typeof schema>;

type TrustDecision = "yes" | "no" | "undecided";

export interface Trust {
  readonly file: string;
  /** True only if someone said yes to this folder or to one above it. */
  isTrusted(cwd: string): boolean;
  /** The decision on the nearest folder: this one, else the one above, and so on. */
  decisionFor(cwd: string): TrustDecision;
  setTrust(cwd: string, decision: "yes" | "no"): void;
  /** Why nothing could be read from the file, as a sentence; undefined if all is well. */
  problem(): string | undefined;
}

/**
 * Decisions live in `trust.json` (0600) of Bough's folder and are read again each time: another process may have asked.
 * A damaged file trusts no one; the next decision keeps it as `trust.json.damaged` and begins a new one.
 */
export function createTrust(home: string = boughHome()): Trust {
  const file = join(home, "trust.json");
  const decisionFor = (cwd: string): TrustDecision => {
    const { folders } = read(file).content;
    for (let folder = realFolder(cwd); ; folder = dirname(folder)) {
      const decision = Object.hasOwn(folders, folder) ? folders[folder] : undefined;
      if (decision !== undefined) return decision;
      if (dirname(folder) === folder) return "undecided";
    }
  };
  return {
    file,
    decisionFor,
    isTrusted: (cwd) => decisionFor(cwd) === "yes",
    setTrust: (cwd, decision) => {
      const { content, problem } = read(file);
      if (problem !== undefined) renameSync(file, `${file}.damaged`);
      const next: TrustFile = { version: 1, folders: { ...content.folders, [realFolder(cwd)]: decision } };
      // A torn trust file would undo every decision.
      writeWhole(file, `${JSON.stringify(next, null, 2)}\n`, { existing: "replace", durable: true });
    },
    problem: () => read(file).problem,
  };
}

function read(file: string): { readonly content: TrustFile; readonly problem?: string } {
  const nobody: TrustFile = { version: 1, folders: {} };
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (systemCode(error) === "ENOENT") return { content: nobody };
    return { content: nobody, problem: `The trust file cannot be read: ${failureSentence(error)}` };
  }
  try {
    return { content: schema.parse(JSON.parse(text)) };
  } catch {
    return { content: nobody, problem: `The trust file is damaged, so no project is trusted: ${file}` };
  }
}

/** A link to a trusted folder is that folder; a folder that is gone goes by its name. */
function realFolder(cwd: string): string {
  try {
    return realpathSync(cwd);
  } catch {
    return resolve(cwd);
  }
}
