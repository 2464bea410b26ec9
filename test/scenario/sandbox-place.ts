/** A place in which the sandbox protects what is next to the project: not in a temporary folder, where it does not. */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { openSandbox } from "@bough/agent/tool/index.js";
import { isInside } from "@bough/session/log/index.js";
import { afterTest } from "../support/after-test.js";
import { makePlace, type Place } from "./cli-support.js";

const open = [tmpdir(), "/tmp"].map((folder) => realpathSync(folder));
const around = [join(process.cwd(), "node_modules"), homedir()].find(
  (folder) => !open.some((one) => isInside(one, realpathSync(folder))),
);

/** Why these tests cannot run here; undefined if they can. */
export async function noSandbox(): Promise<string | undefined> {
  if (around === undefined) return "the checkout and the home are temporary folders";
  const sandbox = openSandbox({ cwd: around, home: join(around, "none"), allowHost: async () => false });
  const state = await sandbox.ready();
  await sandbox.close();
  return state.kind === "on" ? undefined : state.reason;
}

export interface SandboxPlace extends Place {
  /** A file next to the project, which the sandbox does not let `node leave.js` write. */
  readonly out: string;
}

/** `node leave.js` says where it is and writes `out`; `node make.js` creates a file that decides what runs later. */
export function sandboxPlace(settings: object = {}): SandboxPlace {
  const folder = mkdtempSync(join(around ?? tmpdir(), ".bough-sandbox-"));
  afterTest(() => rmSync(folder, { recursive: true, force: true }));
  const place = makePlace({ folder, settings: { model: "offline/rules", ...settings } });
  writeFileSync(
    join(place.cwd, "leave.js"),
    `try { require("node:fs").appendFileSync("../out.txt", "x"); console.log("left the folder"); }
catch (error) { console.error(error.message); process.exitCode = 1; }\n`,
  );
  writeFileSync(join(place.cwd, "make.js"), `require("node:fs").writeFileSync(".envrc", "export MADE=1\\n");\n`);
  return { ...place, out: join(folder, "out.txt") };
}
