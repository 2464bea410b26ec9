import type { ShellWord } from "../shell/shell-line.js";
import { optionTable, type ReadOptions } from "./option-table.js";

/** Tests and actions without side effects; not `-exec`, `-delete`, `-fprint` and the like. */
const ALONE = new Set(
  (
    "! ( ) , -a -and -o -or -not -true -false -print -print0 -ls -prune -quit -depth -d -mount -xdev -empty -executable -readable " +
    "-writable -nouser -nogroup -daystart -follow -noleaf -ignore_readdir_race -noignore_readdir_race -warn -nowarn"
  ).split(" "),
);
const WITH_VALUE = new Set(
  (
    "-name -iname -path -ipath -wholename -iwholename -regex -iregex -lname -ilname -type -xtype -size -mtime -mmin -atime " +
    "-amin -ctime -cmin -newer -anewer -cnewer -perm -user -group -uid -gid -links -inum -samefile -maxdepth -mindepth " +
    "-regextype -fstype -printf -used"
  ).split(" "),
);

/** `find` has its own expression language. */
export const FIND = {
  options: optionTable("-HLP"),
  operands: "names",
  stops: true,
  accepts: ({ isEnded }: ReadOptions, words: readonly ShellWord[]) => !isEnded && isPlainFind(words),
} as const;

function isPlainFind(words: readonly ShellWord[]): boolean {
  let at = 0;
  while (/^-[HLP]$/.test(words[at]?.text ?? "")) at++;
  // Folders come first. A shell pattern expands to names with the same start, so it is a folder too.
  while (words[at] !== undefined && !/^[-(),!]/.test(words[at]?.text ?? "")) at++;
  for (; at < words.length; at++) {
    const { text, literal } = words[at] as ShellWord;
    if (!literal) return false;
    if (ALONE.has(text)) continue;
    if (!/^-newer[aBcm][aBcmt]$/.test(text) && !WITH_VALUE.has(text)) return false;
    at++;
    if (words[at]?.literal !== true) return false;
  }
  return true;
}
