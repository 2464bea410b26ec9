/** /permissions: what is allowed without asking, and taking it back. */
import type { Permissions } from "../../tool/index.js";
import { readArguments, wrongArguments } from "../arguments.js";
import type { Command, CommandContext, CommandOutcome } from "../command.js";
import { matching } from "../completions.js";
import { unchanged } from "../outcome.js";
import { PERMISSION_SENTENCES, permissionModeSentence } from "./permission-sentences.js";

export const PERMISSIONS_COMMAND: Command = {
  name: "permissions",
  group: "program",
  usage: "[revoke <number>|all]",
  summary: "List and revoke permissions",
  details:
    "Without arguments, shows the permission mode and what you allowed for this session. Files in .git and .bough always ask. Grants end with the session.",
  unavailable: (world) => (world.permissions === undefined ? PERMISSION_SENTENCES.none : undefined),
  complete({ permissions }, typed) {
    const grants = permissions?.grants ?? [];
    const numbers = grants.map(({ id, words }) => ({ value: `revoke ${id}`, description: words }));
    const all = grants.length > 1 ? [{ value: "revoke all", description: "everything below" }] : [];
    return matching([...all, ...numbers], typed);
  },
  async run(world, args) {
    const { words } = readArguments(args, { most: 2 });
    const permissions = permissionsOf(world);
    const [verb, which] = words;
    if (verb === undefined) return listing(permissions);
    if (verb !== "revoke" || which === undefined) throw wrongArguments("Missing argument: what to revoke");
    return which === "all" ? revokedAll(permissions) : revoked(permissions, which);
  },
};

function permissionsOf({ permissions }: CommandContext): Permissions {
  if (permissions === undefined) throw new Error("bug: /permissions ran where there are none");
  return permissions;
}

function listing({ mode, grants }: Permissions): CommandOutcome {
  const data = { mode, grants };
  if (grants.length === 0) {
    return { kind: "done", message: `${permissionModeSentence(mode)} ${PERMISSION_SENTENCES.noGrants}`, data };
  }
  const lines = grants.map(({ id, words }) => `  ${id}  ${words}`);
  const message = [
    permissionModeSentence(mode),
    PERMISSION_SENTENCES.grants,
    ...lines,
    PERMISSION_SENTENCES.howToRevoke,
  ].join("\n");
  return { kind: "done", message, data };
}

function revoked(permissions: Permissions, which: string): CommandOutcome {
  const grant = permissions.grants.find(({ id }) => String(id) === which);
  if (grant === undefined) throw wrongArguments(`No grant has the number ${which}`);
  permissions.revoke(grant.id);
  return { kind: "done", message: `Revoked: ${grant.words}. You will be asked again.`, data: { revoked: [grant.id] } };
}

function revokedAll(permissions: Permissions): CommandOutcome {
  const ended = permissions.forget();
  if (ended.length === 0) return unchanged(PERMISSION_SENTENCES.noGrants);
  const words = ended.map((grant) => grant.words).join("; ");
  return {
    kind: "done",
    message: `Revoked: ${words}. You will be asked again.`,
    data: { revoked: ended.map(({ id }) => id) },
  };
}
