/** `bough store users` and `bough store log`: who may do what in a database, and who did. */
import { boughHome } from "@bough/session/session/index.js";
import { counted, withoutControls } from "@bough/session/text/index.js";
import { span } from "@bough/session/view/index.js";
import {
  STORE_ROLES,
  type Store,
  StoreError,
  type StoreLogEntry,
  type StoreRole,
  type StoreTeam,
  type StoreUser,
} from "@bough/workbench/store/index.js";
import { chosenStore, withStore } from "@bough/workbench/store/internal.js";
import { usageError } from "../../cli-error.js";
import type { SubcommandCall } from "../subcommand.js";
import { namedIds } from "./named-ids.js";

interface Team {
  readonly name: string;
  readonly store: Store;
  readonly team: StoreTeam;
}

function withTeam({ flags }: SubcommandCall, use: (team: Team) => Promise<number>): Promise<number> {
  const home = boughHome();
  const named = chosenStore(home, flags.text("store"));
  return withStore(named, {
    home,
    use: (store) => {
      if (store.team !== undefined) return use({ name: named.name, store, team: store.team });
      throw new StoreError("store-refused", `${named.name} has no users: only PostgreSQL has roles and a log`, {
        hint: `It is a ${store.kind === "git" ? "git remote" : "folder"}: everyone who can write to it can do everything.`,
      });
    },
  });
}

export async function storeUsers(call: SubcommandCall): Promise<number> {
  const [action = "list", name, ...more] = call.args;
  if (more.length > 0) throw usageError(`Unexpected argument ${more[0]}`, USAGE);
  if (action === "list" && name === undefined) return withTeam(call, (team) => list(call, team));
  if (action === "add") return add(call, name);
  if (action === "remove") return remove(call, name);
  throw usageError(`Unknown argument ${action === "list" ? name : action}`, USAGE);
}

const USAGE = "Use bough store users, bough store users add <user> --role <role>, or bough store users remove <user>.";

async function list({ out }: SubcommandCall, { name, team }: Team): Promise<number> {
  const [users, role] = [await team.users(), await team.role()];
  if (out.json) {
    out.value({ store: name, role: role ?? null, users: users?.map(userJson) ?? null });
    return 0;
  }
  if (users === undefined) out.line(`${name} has no roles yet: every user of the database can do everything.`);
  for (const user of users ?? []) {
    const { projects } = user;
    const where = projects === undefined ? "every project" : projects.map(withoutControls).join(", ");
    out.line([span(withoutControls(user.name), "accent"), span(`  ${user.role}  `), span(where, "muted")]);
  }
  if (role !== undefined) out.line(`You are ${role === "owner" ? "an owner" : `a ${role}`}.`);
  return 0;
}

async function add(call: SubcommandCall, name: string | undefined): Promise<number> {
  const { flags, out } = call;
  if (name === undefined) throw usageError("Which user?", USAGE);
  const given = flags.text("role");
  const role = STORE_ROLES.find((one) => one === given);
  if (role === undefined)
    throw usageError(given === undefined ? "Which role? Pass --role" : `Unknown role ${given}`, ROLES);
  const projects = flags.all("project");
  const user: StoreUser = { name, role, ...(projects.length === 0 ? {} : { projects }) };
  return withTeam(call, async ({ name: store, team }) => {
    const isFirst = (await team.users()) === undefined;
    await team.setUser(user);
    if (out.json) out.value({ store, added: userJson(user) });
    else {
      const where = projects.length === 0 ? "every project" : projects.map(withoutControls).join(", ");
      out.line(`${withoutControls(name)} is now ${article(role)} of ${store}, for ${where}.`);
      if (isFirst) out.line("From now on, only users with a role can use it, and only owners can remove sessions.");
    }
    return 0;
  });
}

const ROLES = "A reader sees sessions, a writer also pushes, an owner also removes sessions and manages users.";

async function remove(call: SubcommandCall, name: string | undefined): Promise<number> {
  const { out } = call;
  if (name === undefined) throw usageError("Which user?", USAGE);
  return withTeam(call, async ({ name: store, team }) => {
    if (!(await team.removeUser(name)))
      throw new StoreError("store-unknown", `${name} has no role in ${store}`, {
        hint: "To list them: bough store users",
      });
    if (out.json) out.value({ store, removed: name });
    else out.line(`${withoutControls(name)} has no access to ${store} any more. The user of the database stays.`);
    return 0;
  });
}

function article(role: StoreRole): string {
  return role === "owner" ? "an owner" : `a ${role}`;
}

function userJson({ name, role, projects }: StoreUser): object {
  return { name, role, projects: projects ?? null };
}

const MOST = 50;

export async function storeLog(call: SubcommandCall): Promise<number> {
  const { args, flags, out } = call;
  if (args.length > 1) throw usageError(`Unexpected argument ${args[1]}`, "Use bough store log [session].");
  return withTeam(call, async ({ name, store, team }) => {
    const [sessionId] = args.length === 0 ? [] : await namedIds(call, store);
    const limit = flags.count("limit") ?? MOST;
    const entries = await team.log({ limit, ...(sessionId === undefined ? {} : { sessionId }) });
    if (out.json) out.value({ store: name, log: entries.map(entryJson) });
    else if (entries.length === 0) out.line("Nothing is recorded.");
    else await out.lines(entries.map((entry) => [span(timeOf(entry), "muted"), span(`  ${entryText(entry)}`)]));
    return 0;
  });
}

function entryJson({ at, sessionId, project, replica, lines, detail, ...rest }: StoreLogEntry): object {
  return {
    at: at.toISOString(),
    ...rest,
    ...{ sessionId: sessionId ?? null, project: project ?? null, replica: replica ?? null },
    ...{ lines: lines ?? null, detail: detail ?? null },
  };
}

function timeOf({ at }: StoreLogEntry): string {
  return at.toISOString().replace("T", " ").slice(0, 19);
}

function entryText({ user, action, sessionId, project, replica, lines, detail }: StoreLogEntry): string {
  const what = [
    ...(lines === undefined ? [] : [counted(lines, "entry", "entries")]),
    ...(sessionId === undefined ? [] : [sessionId.slice(0, 8)]),
    ...(project === undefined ? [] : [`in ${project}`]),
    ...(replica === undefined ? [] : [`from ${replica.name}`]),
    ...(detail === undefined ? [] : [detail]),
  ].join(" ");
  return withoutControls(`${user} ${action}${what === "" ? "" : `: ${what}`}`);
}
