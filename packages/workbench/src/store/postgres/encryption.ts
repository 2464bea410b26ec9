/** Whether a connection to PostgreSQL is encrypted, as its address says. Needs no code for TLS. */
import { isLoopback } from "@bough/session/text/index.js";
import { safeAddress } from "../shown-address.js";
import { StoreError } from "../store-error.js";

/** Modes of PostgreSQL's own programs. All that can encrypt count as `verify-full`. */
const MODES = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"];

/** `needless`: on this machine, so nothing crosses a network. `off`: turned off in the address. */
export function encryption(url: string): "on" | "off" | "needless" {
  const parsed = new URL(url);
  const mode = parsed.searchParams.get("sslmode")?.toLowerCase();
  if (mode !== undefined && !MODES.includes(mode)) {
    throw new StoreError("store-unknown", `Unknown sslmode ${mode} in ${safeAddress(url)}`, {
      hint: "Use sslmode=verify-full, or sslmode=disable if you trust the network.",
    });
  }
  if (mode === "disable") return isLocal(parsed) ? "needless" : "off";
  if (mode === undefined && isLocal(parsed)) return "needless";
  return "on";
}

/** An empty host or a path is a socket on this machine. */
function isLocal({ hostname, searchParams }: URL): boolean {
  const host =
    searchParams.get("host") ?? (hostname === "" ? (process.env.PGHOST ?? "") : decodeURIComponent(hostname));
  return host === "" || host.startsWith("/") || isLoopback(host) || host === "::1";
}
