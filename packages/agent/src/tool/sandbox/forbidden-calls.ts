/**
 * System calls that no mount and no namespace keeps from what is outside: sockets to the host of a virtual machine, and the
 * kernel's keyring. As a program for the kernel's filter (seccomp), which bubblewrap installs.
 */

interface Calls {
  /** As the kernel names the processor (`AUDIT_ARCH_…`). */
  readonly arch: number;
  readonly socket: number;
  readonly socketpair: number;
  /** `add_key`, `request_key`, `keyctl`. */
  readonly keys: readonly number[];
  /** One call for many, whose arguments a filter does not see. Programs have used separate ones for long. */
  readonly socketcall?: number;
  /** From this number on, calls of another kind have the same numbers again. */
  readonly others?: number;
}

/** What a processor runs: its own programs, and those of 32 bits. */
const CALLS: Readonly<Partial<Record<NodeJS.Architecture, readonly Calls[]>>> = {
  x64: [
    { arch: 0xc000003e, socket: 41, socketpair: 53, keys: [248, 249, 250], others: 0x40000000 },
    { arch: 0x40000003, socket: 359, socketpair: 360, keys: [286, 287, 288], socketcall: 102 },
  ],
  arm64: [
    { arch: 0xc00000b7, socket: 198, socketpair: 199, keys: [217, 218, 219] },
    { arch: 0x40000028, socket: 281, socketpair: 288, keys: [309, 310, 311], socketcall: 102 },
  ],
};

/** The same number everywhere. A ring makes sockets too, and no filter sees what it does. */
const IO_URING_SETUP = 425;
const AF_VSOCK = 40;

const ERRORS = { EPERM: 1, ENOSYS: 38, EAFNOSUPPORT: 97 } as const;

/** Offsets in what the filter sees of a call. */
const NUMBER = 0;
const ARCH = 4;
const FIRST_ARGUMENT = 16;

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

const load = (offset: number): Instruction => [0x20, 0, 0, offset];
/** Skips so many instructions if it is another value. */
const unless = (value: number, skip: number): Instruction => [0x15, 0, skip, value];
const below = (value: number, skip: number): Instruction => [0x35, 0, skip, value];
const ALLOWED: Instruction = [0x06, 0, 0, 0x7fff0000];
const refused = (error: keyof typeof ERRORS): Instruction => [0x06, 0, 0, 0x00050000 | ERRORS[error]];

/** Undefined for a processor whose calls are not known here. */
export function forbiddenCalls(processor: NodeJS.Architecture = process.arch): Uint8Array | undefined {
  const kinds = CALLS[processor];
  if (kinds === undefined) return undefined;
  const blocks = kinds.map((kind) => ({ arch: kind.arch, block: refusing(kind) }));
  return bytesOf([load(ARCH), ...blocks.flatMap(({ arch, block }) => [unless(arch, block.length), ...block]), ALLOWED]);
}

function refusing({ socket, socketpair, keys, socketcall, others }: Calls): readonly Instruction[] {
  return [
    load(NUMBER),
    ...(others === undefined ? [] : [below(others, 1), refused("ENOSYS")]),
    ...(socketcall === undefined ? [] : [unless(socketcall, 1), refused("ENOSYS")]),
    ...[...keys, IO_URING_SETUP].flatMap((call) => [unless(call, 1), refused("EPERM")]),
    ...[socket, socketpair].flatMap((call) => [
      unless(call, 4),
      ...[load(FIRST_ARGUMENT), unless(AF_VSOCK, 1), refused("EAFNOSUPPORT"), ALLOWED],
    ]),
    ALLOWED,
  ];
}

function bytesOf(program: readonly Instruction[]): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(program.length * 8));
  for (const [at, [code, ifTrue, ifFalse, value]] of program.entries()) {
    bytes.setUint16(at * 8, code, true);
    bytes.setUint8(at * 8 + 2, ifTrue);
    bytes.setUint8(at * 8 + 3, ifFalse);
    bytes.setUint32(at * 8 + 4, value, true);
  }
  return new Uint8Array(bytes.buffer);
}
