import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { roomsIn } from "../scripts/build/packages.mjs";

/**
 * Where each operation is found by its name alone: what plans and does it, its command, its screen and what that looks
 * like, each as a file or folder of that name in the folder of its room or one folder below.
 */
const ROOMS_OF: Readonly<Record<string, readonly string[]>> = {
  move: ["agent", "command", "tui", "view"],
  merge: ["agent", "command", "tui", "view"],
  "cherry-pick": ["agent", "command", "tui"],
  pop: ["agent", "command"],
  fork: ["agent", "command", "tui"],
  compact: ["agent", "command", "tui"],
  compare: ["agent", "command", "tui", "view"],
  export: ["export", "command", "tui"],
  import: ["interop", "command", "tui"],
  handoff: ["interop", "command"],
  search: ["session", "command", "tui"],
};

/** The rooms in which `ls -d packages/*\/src/*\/<name>* packages/*\/src/*\/*\/<name>*` shows nothing of the operation. */
function roomsWithout(operation: string, paths: readonly string[]): readonly string[] {
  const found = new Set<string>();
  for (const path of paths) {
    const [room = "", ...rest] = path.split("/");
    if (!path.includes(".test") && rest.slice(0, 2).some((name) => name.startsWith(operation))) found.add(room);
  }
  return (ROOMS_OF[operation] ?? []).filter((room) => !found.has(room));
}

const paths = roomsIn(join(import.meta.dirname, "..")).flatMap(({ room, folder }) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => `${room}/${path.replaceAll("\\", "/")}`),
);

describe("an operation is found by its name", () => {
  test.each(Object.keys(ROOMS_OF))("%s", (operation) => {
    expect(roomsWithout(operation, paths)).toEqual([]);
  });

  test("and the rooms where it is not are named", () => {
    const elsewhere = paths.map((path) => path.replace("tui/merge", "tui/plan").replaceAll("pop", "back"));
    expect(roomsWithout("merge", elsewhere)).toEqual(["tui"]);
    expect(roomsWithout("pop", elsewhere)).toEqual(["agent", "command"]);
    expect(roomsWithout("move", ["agent/move/a.test.ts", "command/run/deep/move.ts"])).toEqual([
      "agent",
      "command",
      "tui",
      "view",
    ]);
  });
});
