/**
 * How a connection to PostgreSQL is protected. To another machine it is encrypted and the server's certificate is checked,
 * unless the address says `sslmode=disable`. Nothing in between: a mode that encrypts without checking keeps nobody out.
 */
import { existsSync, readFileSync } from "node:fs";
import * as tls from "node:tls";
import { isLoopback } from "@bough/session/text/index.js";
import { safeAddress } from "../shown-address.js";
import { StoreError } from "../store-error.js";

/** Modes of PostgreSQL's own programs. All that encrypt count as `verify-full`. */
const MODES = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"];
const PARAMETERS = ["sslmode", "ssl", "sslrootcert", "sslcert", "sslkey", "sslpassword", "uselibpqcompat"];
/** Where systems keep the certificates they trust, for versions of Node that do not know. */
const SYSTEM_FILES = ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem"];

export interface DatabaseConnection {
  /** Without what it says about encryption. */
  readonly connectionString: string;
  readonly ssl: false | tls.ConnectionOptions;
}

/** Throws `store-unknown` for a mode that does not exist, and `store-refused` if a certificate cannot be read. */
export function databaseConnection(url: string): DatabaseConnection {
  const parsed = new URL(url);
  const isEncrypted = encryption(url) === "on";
  const ssl = isEncrypted ? options(parsed) : false;
  for (const name of PARAMETERS) parsed.searchParams.delete(name);
  return { connectionString: parsed.href, ssl };
}

/** `needless`: on this machine, where nothing is sent over a network. `off`: the address says so. */
export function encryption(url: string): "on" | "off" | "needless" {
  const parsed = new URL(url);
  const mode = parsed.searchParams.get("sslmode")?.toLowerCase();
  if (mode !== undefined && !MODES.includes(mode)) {
    throw new StoreError("store-unknown", `sslmode=${mode} is not possible in ${safeAddress(url)}`, {
      hint: "Use sslmode=verify-full, or sslmode=disable if you trust the network.",
    });
  }
  if (mode === "disable") return isLocal(parsed) ? "needless" : "off";
  if (mode === undefined && isLocal(parsed)) return "needless";
  return "on";
}

/** Empty, or a path: a socket of this machine. */
function isLocal({ hostname, searchParams }: URL): boolean {
  const host =
    searchParams.get("host") ?? (hostname === "" ? (process.env.PGHOST ?? "") : decodeURIComponent(hostname));
  return host === "" || host.startsWith("/") || isLoopback(host) || host === "::1";
}

function options({ hostname, searchParams }: URL): tls.ConnectionOptions {
  const file = (name: string): string | undefined => {
    const path = searchParams.get(name);
    return path === null || path === "system" ? undefined : certificate(name, path);
  };
  const root = file("sslrootcert");
  const cert = file("sslcert");
  const key = file("sslkey");
  const host = searchParams.get("host") ?? hostname;
  return {
    rejectUnauthorized: true,
    ca: root === undefined ? trusted() : [root],
    ...(/^[\d.]+$|^\[/.test(host) ? {} : { servername: host }),
    cert,
    key,
  };
}

function certificate(name: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new StoreError("store-refused", `The file of ${name} cannot be read: ${path}`, { cause });
  }
}

/** What Node brings, and what the system trusts: a company's own authority is there. */
function trusted(): string[] {
  const { getCACertificates } = tls as { getCACertificates?: (type: "system" | "extra") => readonly string[] };
  const files = [process.env.SSL_CERT_FILE, process.env.NODE_EXTRA_CA_CERTS, ...SYSTEM_FILES];
  const system =
    getCACertificates === undefined
      ? files
          .filter((file) => file !== undefined && existsSync(file))
          .map((file) => readFileSync(file as string, "utf8"))
      : [...getCACertificates("system"), ...getCACertificates("extra")];
  return [...tls.rootCertificates, ...system];
}

/** Reasons for which a certificate is not accepted, by Node's codes. */
const UNTRUSTED =
  /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|CERT_\w+|ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH|INVALID_CA)$/;

/** What a failed connection says about encryption, if that was it. */
export function tlsFailure(error: unknown, address: string): StoreError | undefined {
  const { code, message = "" } = error as { readonly code?: string; readonly message?: string };
  if (/server does not support SSL/i.test(message)) {
    const plain = new URL(address);
    plain.searchParams.set("sslmode", "disable");
    return new StoreError("store-refused", `${address} does not offer an encrypted connection`, {
      hint: `Switch on TLS in the database. If you trust the network between here and there, use this address, with your password: ${plain.href}`,
      cause: error,
    });
  }
  if (code === undefined || !UNTRUSTED.test(code)) return undefined;
  return new StoreError("store-refused", `The certificate of ${address} is not trusted: ${message}`, {
    hint: "Add the authority that signed it with sslrootcert=<file> in the address, or to the certificates of this system.",
    cause: error,
  });
}
