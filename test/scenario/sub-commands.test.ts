/** Every subcommand, as it is in the packed tarball. Packed once; the cases are in the files beside this one. */
import { afterAll, beforeAll } from "vitest";
import { describeAgents } from "./sub-agents.js";
import { describeAgentsSamples } from "./sub-agents-samples.js";
import { describeAgentsTrouble } from "./sub-agents-trouble.js";
import { describeChanges } from "./sub-changes.js";
import { describeLooking } from "./sub-looking.js";
import { describeMatrix } from "./sub-matrix.js";
import { describeMending } from "./sub-mending.js";
import { describeSharing } from "./sub-sharing.js";
import { describeShells } from "./sub-shells.js";
import { type Packed, packProgram } from "./sub-support.js";

let packed: Packed;
beforeAll(() => {
  packed = packProgram();
});
afterAll(() => packed.remove());

const current = () => packed;
describeMatrix(current);
describeLooking(current);
describeChanges(current);
describeSharing(current);
describeMending(current);
describeShells(current);
describeAgents(current);
describeAgentsTrouble(current);
describeAgentsSamples(current);
