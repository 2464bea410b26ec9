/** Files whose names are not valid UTF-8. They cannot be named in a record, but that they changed is seen. */
import { lstatSync, readdirSync, type Stats } from "node:fs";
import { attempt } from "@bough/session/text/index.js";

/** What bytes that mean nothing are shown as. */
const REPLACED = "\uFFFD";

export function isOddName(path: string): boolean {
  return path.includes(REPLACED);
}

/** Of the first file whose name is shown like this. A file may also really have that character in its name. */
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
