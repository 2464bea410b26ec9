/** The identity of this copy: an ID, kept next to the sessions, and a name for people. */
import { createHash, randomUUID } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { makeFolder, readTextFile, writeWhole } from "@bough/session/log/index.js";
import { attempt, isRecord, parsedJson, withoutControls } from "@bough/session/text/index.js";
import type { Replica } from "./store.js";

const MOST_CHARACTERS = 64;

export interface OwnReplica extends Replica {
  /** The ID found here belongs to the home folder from which this one was copied; this one got a new ID. */
  readonly copiedFrom?: string;
}

/**
 * Created on first use. A copied home folder would write under the ID of the original, so the ID is tied to the machine
 * and the folder, and is replaced elsewhere.
 */
export function ownReplica(home: string, machine: string = thisPlace(home)): OwnReplica {
  const file = join(home, "replica.json");
  const read = readTextFile(file);
  const known = read.kind === "text" ? replicaIn(parsedJson(read.text)) : undefined;
  if (known?.machine === machine) return { id: known.id, name: known.name };
  const name = withoutControls(hostname()).slice(0, 60) || "unnamed";
  const made = { id: randomUUID().replaceAll("-", "").slice(0, 16), name, machine };
  writeWhole(file, [`${JSON.stringify(made)}\n`], { existing: "replace", durable: true });
  return { id: made.id, name, ...(known === undefined ? {} : { copiedFrom: known.id }) };
}

/** Renames this copy. */
export function renameReplica(home: string, name: string, machine: string = thisPlace(home)): OwnReplica {
  const { id } = ownReplica(home, machine);
  const clean = [...withoutControls(name).trim()].slice(0, MOST_CHARACTERS).join("");
  const made = { id, name: clean === "" ? hostname() : clean, machine };
  writeWhole(join(home, "replica.json"), [`${JSON.stringify(made)}\n`], { existing: "replace", durable: true });
  return { id, name: made.name };
}

function replicaIn(value: unknown): { id: string; name: string; machine: string } | undefined {
  if (!isRecord(value)) return undefined;
  const { id, name, machine } = value;
  if (typeof id !== "string" || !/^[0-9a-f]{16}$/.test(id)) return undefined;
  return typeof name === "string" && typeof machine === "string" ? { id, name, machine } : undefined;
}

/** A hash of the machine's ID and the folder on it, because the ID itself is private. */
function thisPlace(home: string): string {
  const machine = attempt(() => readFileSync("/etc/machine-id", "utf8").trim()) || hostname();
  makeFolder(home);
  return createHash("sha256")
    .update(`bough ${machine} ${statSync(home).ino}`)
    .digest("hex")
    .slice(0, 16);
}
