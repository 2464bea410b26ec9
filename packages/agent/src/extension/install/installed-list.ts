/** `extensions.json`: the installed extensions and those switched off, one file for the user and one per project. */
import { join } from "node:path";
import { changeFile, readTextFile } from "@bough/session/log/index.js";
import { errorText, isRecord, jsonObject } from "@bough/session/text/index.js";
import { InstallError } from "./install-error.js";

export interface InstalledExtension {
  readonly name: string;
  /** The argument of `bough install`, without passwords. */
  readonly source: string;
  /** Path of the extension: absolute, or relative to the folder of the list. */
  readonly path: string;
  /** The version of a package, or the commit of a repository. */
  readonly version?: string;
}

export interface InstalledList {
  readonly installed: readonly InstalledExtension[];
  /** Names of extensions that are switched off, installed or not. */
  readonly disabled: readonly string[];
}

const EMPTY: InstalledList = { installed: [], disabled: [] };

export interface ExtensionScope {
  /** `$BOUGH_HOME`, or the project's `.bough`. */
  readonly folder: string;
  readonly origin: "user" | "project";
}

export function listFile({ folder }: ExtensionScope): string {
  return join(folder, "extensions.json");
}

/** Throws `bad-extensions-file`, because ignoring a damaged list could skip a guard extension. */
export function readInstalled(scope: ExtensionScope): InstalledList {
  const file = listFile(scope);
  const read = readTextFile(file);
  if (read.kind === "unreadable") throw badFile(file, read.reason);
  return read.kind === "text" ? parseList(read.text, file) : EMPTY;
}

/** Changes the list, safely even if another process writes at the same time. Unknown fields stay. */
export function changeInstalled(scope: ExtensionScope, change: (list: InstalledList) => InstalledList): void {
  const file = listFile(scope);
  try {
    changeFile(file, (before) => {
      const list = before === undefined ? EMPTY : parseList(before, file);
      const others = before === undefined ? {} : jsonObject(before);
      return `${JSON.stringify({ ...others, ...change(list) }, null, 2)}\n`;
    });
  } catch (error) {
    if (error instanceof InstallError) throw error;
    throw badFile(file, errorText(error), error);
  }
}

function parseList(text: string, file: string): InstalledList {
  const value = jsonObject(text);
  if (value === undefined) throw badFile(file, "it is not a JSON object");
  const { installed = [], disabled = [] } = value;
  if (!Array.isArray(installed) || !installed.every(isInstalled)) {
    throw badFile(file, "installed is not a list of { name, source, path }");
  }
  if (!Array.isArray(disabled) || !disabled.every((name) => typeof name === "string")) {
    throw badFile(file, "disabled is not a list of names");
  }
  return { installed, disabled };
}

function isInstalled(value: unknown): value is InstalledExtension {
  if (!isRecord(value)) return false;
  const isText = [value.name, value.source, value.path].every((field) => typeof field === "string");
  return isText && (value.version === undefined || typeof value.version === "string");
}

function badFile(file: string, reason: string, cause?: unknown): InstallError {
  return new InstallError("bad-extensions-file", `${file} cannot be used: ${reason}`, {
    data: { file },
    hint: "Correct the file, or move it away and install the extensions again.",
    cause,
  });
}
