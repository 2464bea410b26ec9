/**
 * An endless conversation: each call gives the `message` of the next entry as JSON text, in an order a provider would
 * accept (a prompt, tool calls each followed by their result, an answer).
 *
 * `small` messages make lines of about 340 bytes. `real` ones make lines of about 3.2 KB on average: short prompts,
 * answers with thinking and tool calls, tool results of 1 to 20 KB.
 *
 * @typedef {{ json: string, role: "user" | "assistant" | "toolResult", endsTurn: boolean }} Spoken
 * @typedef {{ next: (time: number) => Spoken, restart: () => void }} Conversation
 * @typedef {{ word: string, every: number, files?: number }} Needle  put into one message of `every`, in one file of `files`
 */
import { textPool } from "./text.mjs";

const MODEL = '"api":"anthropic-messages","provider":"anthropic","model":"claude-sonnet-4-5"';

/**
 * @param {{ text: "small" | "real", random: import("./random.mjs").Random, needles?: readonly Needle[] }} options
 * @returns {Conversation}
 */
export function conversation({ text, random, needles = [] }) {
  return text === "small" ? smallTalk(random) : workSession(random, needles);
}

/**
 * @param {import("./random.mjs").Random} random
 * @returns {Conversation}
 */
function smallTalk(random) {
  const { prose } = textPool();
  let asking = true;
  return {
    restart: () => {
      asking = true;
    },
    next: (time) => {
      asking = !asking;
      if (!asking) {
        const text = take(random, prose, 40);
        return { role: "user", endsTurn: false, json: `{"role":"user","content":"${text}","timestamp":${time}}` };
      }
      const usage = `"usage":{"input":${random.below(900)},"output":${random.below(90)},"cacheRead":0,"cacheWrite":0}`;
      return {
        role: "assistant",
        endsTurn: true,
        json: `{"role":"assistant","content":[{"type":"text","text":"${random.pick(prose)}"}],${MODEL},${usage},"stopReason":"stop","timestamp":${time}}`,
      };
    },
  };
}

/**
 * @param {import("./random.mjs").Random} random
 * @param {readonly Needle[]} needles
 * @returns {Conversation}
 */
function workSession(random, needles) {
  const pool = textPool();
  /** Tool calls left in this turn; -1 means that a prompt is next. */
  let rounds = -1;
  /** @type {{ id: string, name: string } | undefined} */
  let open;
  let spoken = 0;
  const planted = () => {
    spoken++;
    return needles.reduce((text, { word, every }) => (spoken % every === 0 ? `${text}${word} ` : text), "");
  };
  return {
    restart: () => {
      rounds = -1;
      open = undefined;
    },
    next: (time) => {
      if (open !== undefined) {
        const { id, name } = open;
        open = undefined;
        const lines = name === "bash" || name === "grep" ? pool.output : pool.code;
        const text = take(random, lines, toolResultLength(random));
        const failed = random.chance(0.05);
        return {
          role: "toolResult",
          endsTurn: false,
          json: `{"role":"toolResult","toolCallId":"${id}","toolName":"${name}","content":[{"type":"text","text":"${planted()}${text}"}],"isError":${failed},"timestamp":${time}}`,
        };
      }
      if (rounds < 0) {
        rounds = random.between(1, 8);
        const text = take(random, pool.prose, random.between(40, 500));
        return {
          role: "user",
          endsTurn: false,
          json: `{"role":"user","content":[{"type":"text","text":"${planted()}${text}"}],"timestamp":${time}}`,
        };
      }
      const calls = rounds > 0;
      rounds--;
      const blocks = [];
      if (random.chance(0.6)) blocks.push(thinkingBlock(random, pool.prose));
      if (!calls || random.chance(0.7)) {
        const text = take(random, pool.prose, random.between(60, calls ? 500 : 2500));
        blocks.push(`{"type":"text","text":"${planted()}${text}"}`);
      }
      if (calls) {
        open = { id: `toolu_${hexDigits(random, 24)}`, name: random.pick(["read", "bash", "edit", "grep", "write"]) };
        blocks.push(
          `{"type":"toolCall","id":"${open.id}","name":"${open.name}","arguments":${callArguments(random, open.name)}}`,
        );
      }
      return {
        role: "assistant",
        endsTurn: !calls,
        json: `{"role":"assistant","content":[${blocks.join(",")}],${MODEL},${usageJson(random)},"stopReason":"${calls ? "toolUse" : "stop"}","timestamp":${time}}`,
      };
    },
  };
}

/**
 * Pieces of a pool until there are about `length` characters of them.
 *
 * @param {import("./random.mjs").Random} random
 * @param {readonly string[]} pieces
 * @param {number} length
 */
function take(random, pieces, length) {
  let text = random.pick(pieces);
  while (text.length < length) text += random.pick(pieces);
  return text;
}

/** Most results are short files and command output; a few are long. @param {import("./random.mjs").Random} random */
function toolResultLength(random) {
  return random.chance(0.77) ? random.between(1000, 4400) : random.between(4500, 19_000);
}

/**
 * @param {import("./random.mjs").Random} random
 * @param {readonly string[]} prose
 */
function thinkingBlock(random, prose) {
  const text = take(random, prose, random.between(150, 1600));
  return `{"type":"thinking","thinking":"${text}","thinkingSignature":"${hexDigits(random, 96)}"}`;
}

/**
 * @param {import("./random.mjs").Random} random
 * @param {string} name
 */
function callArguments(random, name) {
  const { code, prose } = textPool();
  const path = `"path":"src/part-${random.below(400)}/file-${random.below(90)}.ts"`;
  if (name === "bash") return `{"command":"npm test -- part-${random.below(400)} 2>&1 | tail -n ${random.below(90)}"}`;
  if (name === "grep") return `{"pattern":"part\\\\d+\\\\(${random.below(90)}\\\\)","path":"src"}`;
  if (name === "edit")
    return `{${path},"oldText":"${random.pick(code)}","newText":"${random.pick(code)}${random.pick(prose)}"}`;
  if (name === "write") return `{${path},"content":"${take(random, code, random.between(300, 3000))}"}`;
  return `{${path},"offset":${random.below(2000)},"limit":200}`;
}

/** @param {import("./random.mjs").Random} random */
function usageJson(random) {
  const input = random.below(3000);
  const output = random.below(1500);
  const cached = random.below(120_000);
  const total = input + output + cached;
  const cost = `"cost":{"input":0.00${random.below(9)}1,"output":0.0${random.below(9)}1,"cacheRead":0.0${random.below(9)}1,"cacheWrite":0,"total":0.${1 + random.below(8)}1}`;
  return `"usage":{"input":${input},"output":${output},"cacheRead":${cached},"cacheWrite":0,"totalTokens":${total},${cost}}`;
}

/**
 * @param {import("./random.mjs").Random} random
 * @param {number} count
 */
function hexDigits(random, count) {
  let digits = "";
  while (digits.length < count) digits += random.below(0x10000000).toString(16).padStart(7, "0");
  return digits.slice(0, count);
}
