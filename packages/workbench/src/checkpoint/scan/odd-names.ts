/** Files whose names are not valid UTF-8. A record cannot name them, but their changes are noticed. */
import { lstatSync, readdirSync, type Stats } from "node:fs";
import { attempt } from "@bough/session/text/index.js";

/** How invalid bytes are shown. */
const REPLACED = "\uFFFD";

export function isOddName(path: string): boolean {
  return path.includes(REPLACED);
}

/** Stats of the first file whose name is shown like this. A name may also really contain that character. */
export function oddStats(root: string, path: string): Stats | undefined {
  return attempt(() => {
    let at = Buffer.from(root);
    for (const part of path.split("/")) {
      const names = isOddName(part) ? readdirSync(at, { encoding: "buffer" }) : [Buffer.from(part)];
      const name = names.find((one) => one.toString() === part);
      if (name === undefined) return undefined;
      at = Buffer.concat([at, Buffer.from("/"), name]);
    }
    return lstatSync(at, { throwIfNoEntry: false });
  });
}
