/** The machine: Node, folders, helpers, terminal. */
import { accessSync, constants, existsSync, lstatSync, statSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { boughHome } from "@bough/session/session/index.js";
import { attempt } from "@bough/session/text/index.js";
import type { SubcommandCall } from "../subcommand.js";

export interface Check {
  readonly area:
    | "Program"
    | "Home"
    | "Helpers"
    | "Sandbox"
    | "Terminal"
    | "Models"
    | "Settings"
    | "MCP servers"
    | "Sessions"
    | "Other agents";
  readonly level: "ok" | "note" | "warning" | "error";
  /** A sentence. */
  readonly message: string;
  /** What to do about it. */
  readonly hint?: string;
}

/** Same as `engines` in package.json. */
const LEAST_NODE = [20, 19] as const;

export function checkEnvironment({ version, out }: Pick<SubcommandCall, "version" | "out">): Check[] {
  return [nodeCheck(version), homeCheck(boughHome()), helperCheck("git"), helperCheck("rg"), ...terminalChecks(out)];
}

function nodeCheck(version: string): Check {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const enough = major > LEAST_NODE[0] || (major === LEAST_NODE[0] && minor >= LEAST_NODE[1]);
  const message = `bough ${version} on Node ${process.versions.node}, ${process.platform} ${process.arch}`;
  if (enough) return { area: "Program", level: "ok", message };
  return { area: "Program", level: "error", message, hint: `Needs Node ${LEAST_NODE.join(".")} or later.` };
}

function homeCheck(home: string): Check {
  const area = "Home";
  // Below a file or an inaccessible folder, checking for it would fail.
  const stats = existsSync(home) ? statSync(home, { throwIfNoEntry: false }) : undefined;
  if (stats === undefined) return missingHome(home);
  if (!stats.isDirectory()) {
    return { area, level: "error", message: `${home} is not a folder`, hint: "Move or rename it, or set BOUGH_HOME." };
  }
  try {
    accessSync(home, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    // We have no access, which is the answer.
    return {
      area,
      level: "error",
      message: `${home} is not readable and writable`,
      hint: `Check its owner: ls -ld ${home}`,
    };
  }
  if (process.platform !== "win32" && (stats.mode & 0o077) !== 0) {
    const mode = (stats.mode & 0o777).toString(8);
    const hint = `Session files are private anyway. To make the folder private too: chmod 700 ${home}`;
    return { area, level: "warning", message: `${home} is accessible to other users (mode ${mode})`, hint };
  }
  return { area, level: "ok", message: `${home} is private` };
}

function missingHome(home: string): Check {
  const area = "Home";
  if (attempt(() => lstatSync(home))?.isSymbolicLink() === true) {
    return {
      area,
      level: "error",
      message: `${home} is a link that leads nowhere`,
      hint: "Remove the link, make the folder it names, or set BOUGH_HOME.",
    };
  }
  let above = dirname(home);
  while (!existsSync(above) && dirname(above) !== above) above = dirname(above);
  try {
    accessSync(above, constants.W_OK | constants.X_OK);
    return { area, level: "ok", message: `${home} is created when the first session is saved` };
  } catch {
    // Nothing could be saved, which is the answer.
    return {
      area,
      level: "error",
      message: `${home} cannot be created: ${above} is not writable`,
      hint: `Check its owner: ls -ld ${above}, or set BOUGH_HOME.`,
    };
  }
}

const HELPERS = {
  git: { for: "the branch in the footer", without: "The program works without it." },
  rg: { for: "grep", without: "grep works without it, only slower." },
} as const;

function helperCheck(name: keyof typeof HELPERS): Check {
  const found = onPath(name);
  const area = "Helpers";
  if (found !== undefined)
    return { area, level: "ok", message: `${name} found (${found}), used for ${HELPERS[name].for}` };
  return { area, level: "note", message: `${name} is not installed`, hint: HELPERS[name].without };
}

function onPath(name: string): string | undefined {
  const endings = process.platform === "win32" ? [".exe", ".cmd"] : [""];
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    for (const ending of endings) {
      const path = join(folder, `${name}${ending}`);
      try {
        if (folder !== "" && statSync(path, { throwIfNoEntry: false })?.isFile() === true) {
          accessSync(path, constants.X_OK);
          return path;
        }
      } catch {
        // There and not ours to run: the next folder may have another.
      }
    }
  }
  return undefined;
}

function terminalChecks(out: SubcommandCall["out"]): Check[] {
  const area = "Terminal";
  if (!out.isTerminal) return [{ area, level: "note", message: "Not a terminal; skipped" }];
  const { TERM = "unset", NO_COLOR = "", LC_ALL, LC_CTYPE, LANG } = process.env;
  const locale = [LC_ALL, LC_CTYPE, LANG].find((value) => (value ?? "") !== "") ?? "none";
  const colours = NO_COLOR !== "" ? "no colors (NO_COLOR)" : TERM === "dumb" ? "no colors" : "colors";
  const size = `${process.stdout.columns} by ${process.stdout.rows}`;
  const unicode = /utf-?8/i.test(locale);
  return [
    { area, level: "ok", message: `TERM ${TERM}, ${size}, ${colours}, locale ${locale}` },
    ...(unicode
      ? []
      : [{ area, level: "note", message: "The locale is not UTF-8, so trees are drawn with ASCII" } as const]),
    ...(process.stdout.columns < 40
      ? [{ area, level: "note", message: "The terminal has fewer than 40 columns, so the tree is truncated" } as const]
      : []),
  ];
}
