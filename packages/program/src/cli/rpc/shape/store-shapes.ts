/** Stores: what is in them, and what a sync exchanged. */
import { z } from "zod";
import { entryId } from "./entry-shapes.js";

const replica = z
  .object({ id: z.string(), name: z.string().describe("For people.") })
  .meta({ id: "Replica", description: "A machine, or a home folder on it." });

export const storedSession = z
  .looseObject({
    id: z.string(),
    title: z.string().nullable().describe("Its name, or its first prompt."),
    project: z.string().nullable().describe("Identifies the project on every machine."),
    cwd: z.string().nullable().describe("The working directory on the machine that pushed it."),
    updated: z.string().nullable().describe("When its last line arrived."),
    replicas: z.array(replica),
    here: z.boolean().describe("Whether it is on this machine."),
  })
  .meta({ id: "StoredSession", description: "A session in a store." });

const arrival = z
  .looseObject({
    replica,
    entries: z.int(),
    turns: z.int(),
    tips: z.array(entryId).describe("Tips of the branches that grew."),
  })
  .meta({ id: "Arrival", description: "What came from one machine." });

export const syncedSession = z
  .looseObject({
    sessionId: z.string(),
    file: z.string(),
    pushed: z.int().describe("Entries the store did not have."),
    pulled: z.int().describe("Entries this machine did not have."),
    held: z.boolean().optional().describe("New entries may contain secrets and were not pushed."),
    arrivals: z.array(arrival),
  })
  .meta({ id: "SyncedSession" });

const storeState = z
  .enum(["idle", "syncing", "away", "held", "failed"])
  .describe(
    "`away`: unreachable, retried automatically. `held`: what is new may contain secrets. `failed`: `error` says why.",
  );

export const storeFields = {
  store: z.string().describe("Its name."),
  state: storeState,
  pending: z.int().describe("Entries that the store does not have yet."),
  error: z.looseObject({ code: z.string(), message: z.string(), hint: z.string().optional() }).optional(),
};
