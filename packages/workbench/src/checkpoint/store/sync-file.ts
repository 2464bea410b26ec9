import { open } from "node:fs/promises";

/** The content of a file is on the disk, not only handed to the system. One that was removed since is no matter. */
export async function syncFile(path: string): Promise<void> {
  let file: Awaited<ReturnType<typeof open>>;
  try {
    file = await open(path, "r+");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  try {
    await file.datasync();
  } finally {
    await file.close();
  }
}
