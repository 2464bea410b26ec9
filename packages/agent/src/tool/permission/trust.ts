/** The project folders whose own code and settings the user trusts. */
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
  /** True only if the nearest decision, for this folder or one above it, is yes. */
  isTrusted(cwd: string): boolean;
  /** The decision for this folder, or else for the nearest parent that has one. */
  decisionFor(cwd: string): TrustDecision;
  setTrust(cwd: string, decision: "yes" | "no"): void;
  /** A sentence on why the file could not be read; undefined if there is no problem. */
  problem(): string | undefined;
}

/**
 * Decisions are stored in `trust.json` (0600) in Bough's folder and read again each time, because another process may
 * have changed them. With a damaged file no project is trusted; the next decision renames it to `trust.json.damaged`
 * and starts a new one.
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
      // A partly written trust file would lose every decision.
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

/** Resolves links, so that a link to a trusted folder is trusted; a missing folder keeps its name. */
function realFolder(cwd: string): string {
  try {
    return realpathSync(cwd);
  } catch {
    return resolve(cwd);
  }
}
