import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { encryption } from "./encryption.js";
import { databaseConnection, tlsFailure } from "./tls.js";

describe("the connection to a database", () => {
  it.each([
    ["postgres://bob@db.example.com/bough", "on"],
    ["postgres://bob@db.example.com/bough?sslmode=require", "on"],
    ["postgres://bob@db.example.com/bough?sslmode=prefer", "on"],
    ["postgres://bob@10.0.0.7/bough", "on"],
    ["postgres://bob@db.example.com/bough?sslmode=disable", "off"],
    ["postgres://bob@127.0.0.1.example.com/bough", "on"],
    ["postgres://bob@127.0.0.1/bough", "needless"],
    ["postgres://bob@localhost/bough", "needless"],
    ["postgres://bob@[::1]:5432/bough", "needless"],
    ["postgres:///bough?host=/var/run/postgresql", "needless"],
    ["postgres:///bough?host=db.example.com", "on"],
    ["postgres://bob@127.0.0.1/bough?host=db.example.com", "on"],
    ["postgres://bob@127.0.0.1/bough?sslmode=verify-full", "on"],
  ])("%s: encryption is %s", (url, expected) => {
    expect(encryption(url)).toBe(expected);
  });

  it("checks the certificate whatever mode that encrypts is asked for, and hands none of it to the driver", () => {
    for (const mode of ["", "?sslmode=require", "?sslmode=allow", "?ssl=0&uselibpqcompat=true"]) {
      const { ssl, connectionString } = databaseConnection(`postgres://bob@db.example.com/bough${mode}`);
      expect(ssl).toMatchObject({ rejectUnauthorized: true, servername: "db.example.com" });
      expect(connectionString).toBe("postgres://bob@db.example.com/bough");
    }
  });

  it("is plain on this machine, and where the address says so", () => {
    for (const url of ["postgres://bob@127.0.0.1/bough", "postgres://bob@db.example.com/bough?sslmode=disable"])
      expect(databaseConnection(url).ssl).toBe(false);
  });

  it("trusts only the authority that the address names", () => {
    const file = join(tempFolder(), "ca.pem");
    writeFileSync(file, "the authority");
    const { ssl } = databaseConnection(`postgres://bob@db.example.com/bough?sslrootcert=${encodeURIComponent(file)}`);
    expect(ssl).toMatchObject({ ca: ["the authority"] });
    expect(() => databaseConnection("postgres://bob@db.example.com/bough?sslrootcert=/nowhere/ca.pem")).toThrow(
      expect.objectContaining({ code: "store-refused" }),
    );
  });

  it("refuses a mode that encrypts without checking, and one that does not exist", () => {
    for (const mode of ["no-verify", "maybe"]) {
      const url = new URL(`postgres://bob@db.example.com/bough?sslmode=${mode}`);
      url.password = "hush";
      expect(() => encryption(url.href)).toThrow(
        expect.objectContaining({ code: "store-unknown", message: expect.not.stringContaining("hush") }),
      );
    }
  });

  it("says the address to use where the server offers no encryption", () => {
    const failure = tlsFailure(new Error("The server does not support SSL connections"), "postgres://bob@db/bough");
    expect(failure).toMatchObject({ code: "store-refused" });
    expect(failure?.hint).toContain("postgres://bob@db/bough?sslmode=disable");
  });
});
