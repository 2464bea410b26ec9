/** The question before another program's session is imported, with the same wording in every front end. */

import { AGENT_TITLES } from "@bough/session/entry/index.js";
import { withoutControls } from "@bough/session/text/index.js";
import type { ForeignPlace } from "@bough/workbench/interop/index.js";
import { foreignTitle } from "@bough/workbench/interop/internal.js";

export function importQuestion({ foreign }: ForeignPlace): readonly string[] {
  const { agent, path } = foreign;
  return [
    `"${foreignTitle(foreign, 60)}" belongs to ${AGENT_TITLES[agent]}, and Bough does not modify it: ${withoutControls(path)}`,
    "Import it and continue in the copy? The original is unchanged.",
  ];
}
