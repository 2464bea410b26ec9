/** /diff: how files differ between two entries, or between an entry and the disk. */

import { CodedError } from "@bough/session/entry/index.js";
import { failureNotice, notShown } from "../../command/index.js";
import type { Screen } from "../app/screen.js";
import { showDifferences } from "./show-differences.js";

export const openDiff: Screen<"diff"> = async ({ host, context }, { from, to, title }) => {
  try {
    const found = await context.agent.diffFiles(from, to);
    await showDifferences(host, { title, remarks: notShown(found), differences: () => found.files });
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    host.status(failureNotice(error), "warning");
  }
};
