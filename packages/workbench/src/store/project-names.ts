/**
 * Names given to projects on this machine, mainly those without a git remote, by folder, in
 * `$BOUGH_HOME/projects.json`.
 */
import { realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { changeFile, readTextFile } from "@bough/session/log/index.js";
import { attempt, isRecord, jsonObject } from "@bough/session/text/index.js";
import { StoreError } from "./store-error.js";

/** Undefined if the folder has no name. A name does not apply to folders inside it. */
export function projectNameOf(home: string, folder: string): string | undefined {
  const name = namesIn(home)[keyOf(folder)];
  return typeof name === "string" && name !== "" ? name : undefined;
}

/** Forgets the name if it is undefined. */
export function writeProjectName(home: string, folder: string, name: string | undefined): void {
  const file = fileIn(home);
  const key = keyOf(folder);
  if (projectNameOf(home, folder) === name) return;
  changeFile(
    file,
    () => {
      const { [key]: _, ...others } = namesIn(home);
      const projects = name === undefined ? others : { ...others, [key]: name };
      return `${JSON.stringify({ projects }, undefined, 2)}\n`;
    },
    (reason) => unreadable(file, reason),
  );
}

function namesIn(home: string): Readonly<Record<string, unknown>> {
  const file = fileIn(home);
  const read = readTextFile(file);
  if (read.kind === "absent") return {};
  if (read.kind === "unreadable") throw unreadable(file, read.reason);
  const projects = jsonObject(read.text)?.projects;
  if (!isRecord(projects)) throw unreadable(file, "it is not a list of projects");
  return projects;
}

function fileIn(home: string): string {
  return join(home, "projects.json");
}

/** The same key for every path to a folder. */
function keyOf(folder: string): string {
  return attempt(() => realpathSync(folder)) ?? resolve(folder);
}

function unreadable(file: string, reason: string): StoreError {
  return new StoreError("store-damaged", `Cannot use ${file}: ${reason}`, { hint: "Check the file, or delete it." });
}
