/** Users of a store in PostgreSQL, and who pushed and removed. */
import type { StoreLogEntry, StoreLogOptions, StoreRole, StoreTeam, StoreUser } from "../store.js";
import { StoreError } from "../store-error.js";
import type { Database } from "./database.js";
import type { Roles } from "./roles.js";
import { setUp } from "./set-up.js";

const LIMIT = 50;

const LOG = `
select l.at, l.who, l.did, l.session, l.project, l.lines, l.detail, l.replica,
  (select min(r.name) from bough.replica r where r.id = l.replica) as name
from bough.log l where $1::text is null or l.session = $1 order by l.n desc limit $2`;

interface LogRow {
  readonly at: Date;
  readonly who: string;
  readonly did: string;
  readonly session: string | null;
  readonly project: string | null;
  readonly lines: string | null;
  readonly detail: string | null;
  readonly replica: string | null;
  readonly name: string | null;
}

interface MemberRow {
  readonly name: string;
  readonly role: StoreRole;
  readonly projects: readonly string[] | null;
}

export function postgresTeam(database: Database, roles: Roles): StoreTeam {
  return {
    async role() {
      if (!(await roles.areOnNow())) return undefined;
      const [row] = await database.rows<{ role: StoreRole | null }>("select bough.own_role() as role");
      return row?.role ?? undefined;
    },
    async users() {
      if (!(await roles.areOnNow())) return undefined;
      const rows = await database.rows<MemberRow>("select name, role, projects from bough.member order by name");
      return rows.map(userOf);
    },
    async setUser({ name, role, projects }) {
      if (role === "owner" && projects !== undefined)
        throw new StoreError("store-refused", "An owner sees every project", {
          hint: "Leave out --project, or give the role reader or writer.",
        });
      if (!(await roles.areOnNow())) {
        await setUp(database, { team: true });
        await roles.areOnNow();
      }
      await database.rows("select bough.set_member($1, $2, $3)", [name, role, projects ?? null]);
    },
    async removeUser(name) {
      if (!(await roles.areOnNow())) return false;
      const [row] = await database.rows<{ was: boolean }>("select bough.drop_member($1) as was", [name]);
      return row?.was === true;
    },
    async log({ sessionId, limit = LIMIT }: StoreLogOptions = {}) {
      return (await database.rows<LogRow>(LOG, [sessionId ?? null, limit])).map(entryOf);
    },
  };
}

function userOf({ name, role, projects }: MemberRow): StoreUser {
  return { name, role, ...(projects === null ? {} : { projects }) };
}

function entryOf({ at, who, did, session, project, lines, detail, replica, name }: LogRow): StoreLogEntry {
  return {
    at,
    user: who,
    action: did,
    ...(session === null ? {} : { sessionId: session }),
    ...(project === null ? {} : { project }),
    ...(replica === null ? {} : { replica: { id: replica, name: name ?? replica } }),
    ...(lines === null ? {} : { lines: Number(lines) }),
    ...(detail === null ? {} : { detail }),
  };
}
