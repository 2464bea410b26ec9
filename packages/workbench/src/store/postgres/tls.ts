/**
 * How a connection to PostgreSQL is protected. Connections to other machines are encrypted and the server's certificate
 * is checked, unless the address says `sslmode=disable`. There is nothing in between: encryption without that check
 * does not stop an attacker.
 */
import { existsSync, readFileSync } from "node:fs";
import * as tls from "node:tls";
import { StoreError } from "../store-error.js";
import { encryption } from "./encryption.js";

const PARAMETERS = ["sslmode", "ssl", "sslrootcert", "sslcert", "sslkey", "sslpassword", "uselibpqcompat"];
/** Where systems keep trusted certificates, for versions of Node that cannot list them. */
const SYSTEM_FILES = ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem"];

export interface DatabaseConnection {
  /** The address without its TLS parameters. */
  readonly connectionString: string;
  readonly ssl: false | tls.ConnectionOptions;
}

/** Throws `store-unknown` for an unknown mode, and `store-refused` if a certificate cannot be read. */
export function databaseConnection(url: string): DatabaseConnection {
  const parsed = new URL(url);
  const isEncrypted = encryption(url) === "on";
  const ssl = isEncrypted ? options(parsed) : false;
  for (const name of PARAMETERS) parsed.searchParams.delete(name);
  return { connectionString: parsed.href, ssl };
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
    throw new StoreError("store-refused", `Cannot read the file for ${name}: ${path}`, { cause });
  }
}

/** Node's own certificates and those the system trusts, which may include a company's authority. */
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

/** Node's error codes for certificates that are not accepted. */
const UNTRUSTED =
  /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|CERT_\w+|ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH|INVALID_CA)$/;

/** An error if encryption was the reason why a connection failed. */
export function tlsFailure(error: unknown, address: string): StoreError | undefined {
  const { code, message = "" } = error as { readonly code?: string; readonly message?: string };
  if (/server does not support SSL/i.test(message)) {
    const plain = new URL(address);
    plain.searchParams.set("sslmode", "disable");
    return new StoreError("store-refused", `${address} does not offer an encrypted connection`, {
      hint: `Enable TLS in the database. If you trust the network in between, use this address (with your password): ${plain.href}`,
      cause: error,
    });
  }
  if (code === undefined || !UNTRUSTED.test(code)) return undefined;
  return new StoreError("store-refused", `The certificate of ${address} is not trusted: ${message}`, {
    hint: "Add its certificate authority with sslrootcert=<file> in the address, or to this system's certificates.",
    cause: error,
  });
}
