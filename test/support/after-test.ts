/**
 * Cleaning up after a test. Test files share modules, so a hook at the top of a helper would only run for the first file
 * that imports it. The set-up file runs for every file and calls `cleanUp` after each test.
 */
const toDo: (() => unknown)[] = [];

/** Runs when the current test is over, before what was registered earlier. */
export function afterTest(work: () => unknown): void {
  toDo.push(work);
}

export async function cleanUp(): Promise<void> {
  const failures: unknown[] = [];
  for (const work of toDo.splice(0).reverse()) {
    try {
      await work();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
