/**
 * Seals contents with AES-256-GCM. Everyone with the key seals the same content to the same bytes, because the nonce is
 * derived from the content and the key.
 */
import { createCipheriv, createDecipheriv, createHmac, randomBytes, scryptSync } from "node:crypto";

const COST = { N: 1 << 15, r: 8, p: 1, maxmem: 128 << 20 };
const SALT = "bough store, version 1";
const KEY = 64;
const NONCE = 12;
const TAG = 16;

export class Seal {
  /** Base64. Never leaves this machine except inside another seal. */
  readonly key: string;
  readonly #key: Buffer;
  readonly #nonceKey: Buffer;

  constructor(key: Buffer) {
    this.key = key.toString("base64");
    this.#key = key.subarray(0, 32);
    this.#nonceKey = key.subarray(32);
  }

  static random(): Seal {
    return new Seal(randomBytes(KEY));
  }

  /** Undefined if it is not a key. */
  static ofKey(key: string): Seal | undefined {
    const bytes = Buffer.from(key, "base64");
    return bytes.length === KEY ? new Seal(bytes) : undefined;
  }

  nameOf(content: Uint8Array): string {
    return createHmac("sha256", this.#nonceKey).update("name").update(content).digest("hex");
  }

  close(content: Uint8Array): Buffer {
    const nonce = createHmac("sha256", this.#nonceKey).update("nonce").update(content).digest().subarray(0, NONCE);
    const cipher = createCipheriv("aes-256-gcm", this.#key, nonce);
    const body = Buffer.concat([cipher.update(content), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), body]);
  }

  /** Undefined if the key is wrong or the data was changed. */
  open(sealed: Uint8Array): Buffer | undefined {
    if (sealed.length < NONCE + TAG) return undefined;
    try {
      const decipher = createDecipheriv("aes-256-gcm", this.#key, sealed.subarray(0, NONCE), { authTagLength: TAG });
      decipher.setAuthTag(sealed.subarray(NONCE, NONCE + TAG));
      return Buffer.concat([decipher.update(sealed.subarray(NONCE + TAG)), decipher.final()]);
    } catch {
      return undefined;
    }
  }

  closeText(text: string): string {
    return this.close(Buffer.from(text)).toString("base64");
  }

  openText(text: string): string | undefined {
    return this.open(Buffer.from(text, "base64"))?.toString("utf8");
  }
}

/** Caches the seal of the last passphrase: deriving a key takes a tenth of a second, and stores are opened often. */
let lastSeal: { readonly passphrase: string; readonly seal: Seal } | undefined;

export function sealOf(passphrase: string): Seal {
  if (lastSeal?.passphrase !== passphrase)
    lastSeal = { passphrase, seal: new Seal(scryptSync(passphrase.normalize("NFC"), SALT, KEY, COST)) };
  return lastSeal.seal;
}
