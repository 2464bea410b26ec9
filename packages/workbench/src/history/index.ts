/** Searches what was said and tried in all agents' sessions on this machine. Read-only; masks secrets. */
export { type Answer, type AnswerOptions, coverageNotes, MOST_ANSWER } from "./answer/answer.js";
export { answerBlame, type BlameQuestion } from "./answer/answer-blame.js";
export { answerOpen, type OpenQuestion } from "./answer/answer-open.js";
export { answerSearch, type SearchQuestion } from "./answer/answer-search.js";
export { answerSessions, codeAfter, type SessionsQuestion, sessionPage } from "./answer/answer-sessions.js";
export { answerTried, type TriedQuestion } from "./answer/answer-tried.js";
export { type Attempt, type AttemptPage, type AttemptRequest, findAttempts } from "./answer/attempts.js";
export { indexingSentence, SEARCH_TIMEOUT, triedText, triedWords } from "./answer/tried-text.js";
export {
  type BranchFacts,
  type CheckFacts,
  OUTCOMES,
  type Outcome,
  type Place,
  type SessionFacts,
  type TurnFacts,
} from "./facts/facts.js";
export { type Coverage, History, type HistoryOptions, type KnownSession } from "./store/history.js";
