/** Disks in memory that are soon full. Only root may mount them, and not everywhere: ask `hasSmallDisks` first. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterTest } from "./after-test.js";
import { tempFolder } from "./temp-folder.js";

/** Unmounted when the test is over. `size` as for tmpfs: `64k`, `1m`. */
export function smallDisk(size: string): string {
  const folder = tempFolder();
  mount(folder, size);
  afterTest(() => execFileSync("umount", [folder]));
  return folder;
}

export const hasSmallDisks = canMount();

function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), "bough-mount-"));
  try {
    mount(folder, "64k");
    execFileSync("umount", [folder]);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function mount(folder: string, size: string): void {
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", folder], { stdio: "ignore" });
}
