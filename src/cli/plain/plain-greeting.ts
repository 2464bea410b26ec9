/** The first line of plain mode: a new session, or where you were in an old one. */
import { type CommandWorld, whereYouWere } from "../../command/index.js";
import { counted, firstWords, longAge } from "../../text/index.js";

export function plainGreeting(world: CommandWorld, version: string): string {
  const { model } = world.agent;
  const speaker = model === undefined ? "no model" : `${model.info.provider}/${model.info.id}`;
  const start = `Bough ${version}. ${sessionWords(world)}. Model ${speaker}.`;
  return `${start} /help lists commands, /tree shows the tree, /quit ends.`;
}

function sessionWords(world: CommandWorld): string {
  const where = whereYouWere(world);
  if (where === undefined) return "New session";
  const { name = "Session without a name", branch, turns, last, here = "the start" } = where;
  const facts = [
    firstWords(name, 60),
    `branch ${branch.number}, ${firstWords(branch.name, 40)}`,
    counted(turns, "turn"),
    ...(last === undefined ? [] : [`last ${longAge(last, world.now().getTime())}`]),
  ];
  return `${facts.join(", ")}. You are at "${firstWords(here, 60)}"`;
}
