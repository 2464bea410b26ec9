import { attempt } from "../../text/index.js";
import { StoreError } from "../store-error.js";

/** For people: server, port and database. */
export function withoutPassword(url: string): string {
  const parsed = attempt(() => new URL(url));
  if (parsed === undefined) throw new StoreError("store-unknown", "The address of the database is not a URL");
  return `postgres://${parsed.host}${parsed.pathname}`;
}
