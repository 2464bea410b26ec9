/** What the mounts of a sandbox depend on: if it is the same later, the sandbox would be set up the same way. */
import { lstatSync, readFileSync } from "node:fs";
import { attempt } from "@bough/session/text/index.js";
import type { PrepareOptions } from "./sandbox-engine.js";

export interface Mounted {
  /** The plan without sockets, what is at its paths, and the mounts of this machine. */
  readonly fixed: string;
  /** The sockets that are hidden. */
  readonly sockets: ReadonlyMap<string, string>;
}

/** A mount belongs to the file that was at its path, and is gone once another one takes that path. */
export function mountedNow({ plan, temporary }: PrepareOptions): Mounted {
  const sockets = plan.hidden.filter(({ kind }) => kind === "socket").map(({ path }) => path);
  const hidden = plan.hidden.filter(({ kind }) => kind !== "socket");
  const paths = [...plan.writable, ...plan.closed, ...plan.sockets, ...hidden.map(({ path }) => path)];
  const mounts = attempt(() => readFileSync("/proc/self/mountinfo", "utf8")) ?? "";
  return {
    fixed: JSON.stringify([{ ...plan, hidden }, temporary, paths.map(stateOf), mounts]),
    sockets: new Map(sockets.map((path) => [path, stateOf(path)])),
  };
}

/** Whether what was mounted before is what would be mounted now. Sockets come and go: those that are gone do not matter. */
export function isStillMounted(before: Mounted, now: Mounted): boolean {
  const isHidden = ([path, state]: [string, string]) => state !== "" && before.sockets.get(path) === state;
  return before.fixed === now.fixed && [...now.sockets].every(isHidden);
}

/** Names of folders cannot be taken and given back. Those of files can, which changes their time. */
function stateOf(path: string): string {
  const stats = attempt(() => lstatSync(path, { bigint: true }));
  if (stats === undefined) return "";
  const { dev, ino, mode, birthtimeNs, ctimeNs } = stats;
  return [dev, ino, mode, birthtimeNs, stats.isDirectory() ? "" : ctimeNs].join(":");
}
