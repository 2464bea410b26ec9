/** Words that a question has whatever it is about. */
const WORDS =
  "a about actually after again all already also always am an and any are around as ask asked at attempt attempted attempts away back be because been before being between both but by can cannot can't could couldn't did didn't different do does doesn't doing don't done during each earlier eg e.g either else even ever every few find first for found from get gets getting give go goes going gone got had has hasn't have haven't having he help her here him his history how however i i'd i'll i'm i've idea if in instead into is isn't it it's its itself just know last let let's like look looking made make makes making many may maybe me might more most much must my need needed needs never new no nor not now of off often on once one only onto or other our out over own past per perhaps please possible possibly previous previously quite rather really same see seen several shall she should shouldn't show since so solution solve solved some still such sure take taken tell than that that's the their them then there these they thing things think this those though through to together too toward tried tries try trying under until up upon us use used uses using various very via want wanted was wasn't way ways we we'd we'll we're we've well went were weren't what what's whatever when whenever where whether which while who whole whose why will with within without won't work worked working works would wouldn't yet you you're your";

/** Such as `anyone`. */
const INDEFINITE = /^(?:any|every|some|no)(?:body|one|thing|where|how|times)$/;
const STOP_WORDS: ReadonlySet<string> = new Set(WORDS.split(" "));

export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word.replaceAll("’", "'")) || INDEFINITE.test(word);
}
