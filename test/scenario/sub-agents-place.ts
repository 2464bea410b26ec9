/** A home with sessions of five other agents beside those of Bough. */
import { join } from "node:path";
import { type AgentsHome, layOutAgents, layOutCompressedRollout } from "../support/agents-home.js";
import { fingerprint } from "../support/fingerprint.js";
import { makeSubPlace, type SubPlace } from "./sub-support.js";

export interface AgentsPlace extends SubPlace {
  readonly user: string;
  readonly paths: AgentsHome;
  readonly compressed: string;
}

/** Ten sessions of other agents and two of Bough's own, all of one folder. */
export function makeAgentsPlace(): AgentsPlace {
  const place = makeSubPlace();
  const user = place.env.HOME as string;
  const paths = layOutAgents({ home: user, cwd: place.cwd, opencode: "both" });
  return { ...place, user, paths, compressed: layOutCompressedRollout({ home: user, cwd: place.cwd }) };
}

const AGENT_FOLDERS = [".claude", ".codex", ".gemini", ".local", ".pi"] as const;

/** Everything that is not Bough's; it is only ever read. */
export const foreignFiles = ({ user }: AgentsPlace) =>
  AGENT_FOLDERS.flatMap((folder) => fingerprint(join(user, folder)).filter((line) => !line.includes("/ ")));
