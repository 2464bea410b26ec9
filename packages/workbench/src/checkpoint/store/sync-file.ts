import { open } from "node:fs/promises";

/**
 * Waits until a file's content is on disk, not only in the system's cache. Ignores a file that was removed meanwhile.
 */
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
