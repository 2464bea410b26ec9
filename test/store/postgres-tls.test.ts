/** A real PostgreSQL with TLS: whom Bough talks to, and whom it does not. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { initStore, openStore } from "@bough/workbench/store/index.js";
import { afterAll, expect, it } from "vitest";
import { beforeAllWithPostgres, PostgresServer } from "../support/postgres.js";
import { tempFolder } from "../support/temp-folder.js";
import { testCertificate } from "../support/test-certificate.js";

let server: PostgresServer;
const certificate = testCertificate("localhost", "127.0.0.1");

beforeAllWithPostgres(async () => {
  server = await PostgresServer.start();
});
afterAll(() => server?.stop());

async function opened(parameters: Record<string, string>, host = "127.0.0.1"): Promise<void> {
  const url = new URL(server.url("secure").replace("127.0.0.1", host));
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  await initStore(url.href);
  const store = await openStore(url.href, { home: tempFolder() });
  await store.list();
  await store.close();
}

function fileWith(text: string): string {
  const file = join(tempFolder(), "ca.pem");
  writeFileSync(file, text);
  return file;
}

it("speaks TLS only with a server whose certificate it can check", async () => {
  server.create("secure");
  await expect(opened({ sslmode: "verify-full" })).rejects.toMatchObject({
    code: "store-refused",
    hint: expect.stringContaining("sslmode=disable"),
  });
  server.useTls(certificate);
  await expect(opened({ sslmode: "verify-full" })).rejects.toMatchObject({
    code: "store-refused",
    message: expect.stringContaining("is not trusted"),
  });
  const other = testCertificate("localhost");
  await expect(opened({ sslmode: "verify-full", sslrootcert: fileWith(other.cert) })).rejects.toMatchObject({
    code: "store-refused",
  });
  await opened({ sslmode: "verify-full", sslrootcert: fileWith(certificate.cert) });
  await opened({ sslmode: "require", sslrootcert: fileWith(certificate.cert) }, "localhost");
});

it("refuses a certificate for another name", async () => {
  const elsewhere = testCertificate("db.example.com");
  server.useTls(elsewhere);
  await expect(opened({ sslmode: "verify-full", sslrootcert: fileWith(elsewhere.cert) })).rejects.toMatchObject({
    code: "store-refused",
    message: expect.stringContaining("is not trusted"),
  });
});
