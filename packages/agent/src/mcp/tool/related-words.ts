/**
 * Different words for the same thing. A server picks one name for a tool, and people often use another: `bill` for
 * `invoice`, `stop` for `cancel`.
 */

/** The words on a line mean the same. A word can be on several lines. */
const SAME = `
create add new make start open insert set setup write
create register hire enroll book schedule draft compose
list all every show view see browse enumerate which
get read show view see fetch retrieve detail look lookup open load
update change modify edit adjust alter set rename revise correct
delete remove trash erase drop destroy discard bin
search find look lookup grep locate seek
query search ask
send post publish announce deliver
cancel stop abort kill terminate end halt interrupt close
rerun restart retry again repeat reboot redo
count number many total amount sum
export download save dump
import upload load ingest
put upload store save write
push upload commit
assign give delegate hand allocate
restore undelete undo revert rollback recover unarchive
roll revert undo rollback
archive shelve retire hide
merge combine join unify land consolidate dedupe
duplicate double copy
watch notify follow subscribe monitor alert tell inform observe
silence mute snooze quiet suppress
toggle enable disable switch activate deactivate turn flip
run execute start launch invoke trigger call
share grant permission access invite
move transfer relocate
label tag mark categorize sort
filter rule sort
append add attach
comment feedback note remark annotate
reply answer respond
accept decline rsvp confirm respond
review approve inspect check
describe explain detail structure schema column
explain why analyze plan
convert exchange change transform
resize shrink enlarge scale crop thumbnail
generate make draw create paint
wait pause until
press push hit tap
click press tap button
type fill enter input field form
navigate open visit go browse website
apply deploy install
scale instance replica more
purge clear flush invalidate empty
translate language german french spanish english japanese chinese italian
transcribe speech audio voice recording podcast dictation
invoice bill receipt
payment pay paid transaction charge
customer client buyer consumer
supplier vendor provider
employee staff worker personnel colleague
contract agreement deal
shipment delivery consignment dispatch order
parcel package packet
warehouse stock inventory depot storage
vehicle car truck van fleet
vacation holiday leave pto absence
payslip salary wage payroll paycheck
refund reimbursement chargeback
discount rebate reduction
coupon voucher promo promotion
tax vat gst duty
currency money euro dollar forex
budget allowance
forecast prediction outlook projection
meeting appointment call event
calendar agenda schedule event appointment meeting diary
invitation invite rsvp
slot free available availability
attendee participant guest
ticket case incident complaint
issue bug defect problem ticket
subscription membership plan
campaign marketing advertisement ad
newsletter mailing
ledger bookkeeping accounting journal
price cost rate fee
cost bill spending expense charge
catalog catalogue product
account iban
repository repo codebase github gitlab project
commit revision changeset history
release version ship publish changelog
tag version
workflow ci pipeline build action
job build task
failed fail broken red
log output console
secret credential password leak
dependency package library cve
vulnerable vulnerability cve security
code source function
diff patch change
reviewer colleague
message chat slack post
channel room
emoji reaction react thumb smiley
status presence away
profile person contact
timezone zone
email mail inbox
document doc page text
drive google
spreadsheet sheet excel
cell value
chart graph plot diagram
presentation slide deck powerpoint
file document attachment
folder directory
database db sql postgres mysql
sql select statement
slow performance
connection session
backup snapshot
migration schema
index speed
browser web website site page
url link address
screenshot picture photo image
image picture photo
console javascript
request http call network
key keyboard
tab window
pod kubernetes kubectl container k8s
cluster kubernetes k8s
node machine host
deployment deploy service rollout
manifest yaml
metric usage
memory ram
cpu processor load
alert alarm pager incident
error exception crash failure
stack stacktrace traceback
flag feature experiment
bucket s3 storage
object file blob
temporary expire presign
lambda function serverless
cloud aws azure gcp
dns domain subdomain nameserver
cdn cache
geocode coordinate latitude longitude gps
location place address street city
direction route way travel trip
transport train bus
weather rain sun snow temperature
user person people member account
team group
`;

/** A word that means several others at once. */
const MEANS: Readonly<Record<string, string>> = {
  pr: "pull request",
  prs: "pull request",
  mr: "merge pull request",
  dm: "direct message",
  ci: "workflow run job",
  cpu: "cpu metrics",
  ram: "memory",
  cve: "vulnerable dependency alert",
  sms: "text message",
  everybody: "status channel",
  rename: "update move",
  merged: "merge",
  pdf: "export pdf",
  csv: "export import csv",
};

let related: ReadonlyMap<string, ReadonlySet<string>> | undefined;

/** Other words for one, all in the form that `wordsIn` makes of them. */
export function relatedWords(word: string, wordsIn: (text: string) => readonly string[]): ReadonlySet<string> {
  related ??= made(wordsIn);
  return related.get(word) ?? NONE;
}

const NONE: ReadonlySet<string> = new Set();

function made(wordsIn: (text: string) => readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  const add = (from: readonly string[], to: readonly string[]) => {
    for (const word of from) {
      const known = found.get(word) ?? new Set();
      found.set(word, known);
      for (const other of to) if (other !== word) known.add(other);
    }
  };
  for (const line of SAME.split("\n")) {
    const group = wordsIn(line);
    add(group, group);
  }
  for (const [word, meaning] of Object.entries(MEANS)) add(wordsIn(word), wordsIn(meaning));
  return found;
}
