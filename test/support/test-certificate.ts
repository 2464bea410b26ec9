/** A certificate for tests of TLS, made on the spot: a key in the repository would look like a leaked one. */
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";

interface TestCertificate {
  readonly key: string;
  readonly cert: string;
}

/** Signed by itself, for the names given, valid from yesterday until tomorrow. */
export function testCertificate(...names: readonly string[]): TestCertificate {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const body = certificateBody(names, publicKey);
  const signature = sign("sha256", body, privateKey);
  const der = sequence(body, ECDSA_SHA256, item(0x03, Buffer.concat([Buffer.of(0), signature])));
  const lines = der.toString("base64").replace(/.{64}/g, "$&\n");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}

const DAY_MS = 86_400_000;
const ECDSA_SHA256 = sequence(item(0x06, Buffer.from("2a8648ce3d040302", "hex")));

function certificateBody(names: readonly string[], publicKey: KeyObject): Buffer {
  const name = sequence(item(0x31, sequence(item(0x06, Buffer.from("550403", "hex")), item(0x0c, "test"))));
  const alternatives = sequence(
    ...names.map((one) =>
      /^[\d.]+$/.test(one) ? item(0x87, Buffer.from(one.split(".").map(Number))) : item(0x82, one),
    ),
  );
  const extensions = sequence(
    extension("551d11", alternatives),
    // It is its own authority.
    extension("551d13", sequence(item(0x01, Buffer.of(0xff)))),
  );
  return sequence(
    item(0xa0, item(0x02, Buffer.of(2))),
    item(0x02, Buffer.of(1)),
    ECDSA_SHA256,
    name,
    sequence(time(Date.now() - DAY_MS), time(Date.now() + DAY_MS)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    item(0xa3, extensions),
  );
}

function extension(id: string, value: Buffer): Buffer {
  return sequence(item(0x06, Buffer.from(id, "hex")), item(0x04, value));
}

function time(ms: number): Buffer {
  return item(0x18, `${new Date(ms).toISOString().slice(0, 19).replace(/\D/g, "")}Z`);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return item(0x30, Buffer.concat(parts));
}

/** A tag, a length and a value, as DER has them. */
function item(tag: number, value: Buffer | string): Buffer {
  const bytes = Buffer.from(value as string);
  const length = bytes.length;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), bytes]);
}
