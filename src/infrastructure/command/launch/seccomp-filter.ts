import type { ModeCall, SyscallTable } from './seccomp-syscalls.js';

// linux/filter.h and linux/seccomp.h
const LOAD_WORD = 0x20;
const JUMP_EQUAL = 0x15;
const JUMP_AT_LEAST = 0x35;
const JUMP_ABOVE = 0x25;
const JUMP_ANY_BIT = 0x45;
const AND = 0x54;
const RETURN = 0x06;

const OFFSET_NUMBER = 0;
const OFFSET_ARCHITECTURE = 4;
const OFFSET_ARGUMENTS = 16;

const KILL_PROCESS = 0x80000000;
const ALLOW = 0x7fff0000;
const ERRNO = 0x00050000;
const EPERM = 1;
const EINVAL = 22;
const ENOSYS = 38;
const DONE_WITHOUT_EFFECT = 0;

const SOL_SOCKET = 1;
const AF_UNIX = 1;
const SOCK_STREAM = 1;
const SOCK_SEQPACKET = 5;
const SOCK_TYPE_BITS = 0xf;
const SET_ID_BITS = 0o6000;
/** Set in S_IFCHR and S_IFBLK, and in no other kind that mknod makes. */
const DEVICE_BIT = 0o20000;
/** O_CREAT and the bit of O_TMPFILE that is not O_DIRECTORY. */
const CREATING = 0x40 | 0x400000;
/** postgres asks for 56 bytes. The kernel allows 4096 segments, so that all together stay below 64 MiB. */
const LARGEST_SEGMENT = 16_384;
/** postgres asks for 17. The kernel allows 32,000 sets of 64 bytes a semaphore, so that all stay below 64 MiB. */
const LARGEST_SET = 32;
const AF_INET = 2;
const AF_INET6 = 10;
const AF_NETLINK = 16;
const NETLINK_ROUTE = 0;
const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;
const PR_SET_PDEATHSIG = 1;
const SIGKILL = 9;
/** NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET */
const NEW_NAMESPACES = 0x7e020000;
const NEW_TIME_NAMESPACE = 0x80;

interface Instruction {
  readonly code: number;
  readonly jumpTrue: number;
  readonly jumpFalse: number;
  readonly operand: number;
}

function load(offset: number): Instruction {
  return { code: LOAD_WORD, jumpTrue: 0, jumpFalse: 0, operand: offset };
}

function jump(code: number, operand: number, jumpTrue: number, jumpFalse: number): Instruction {
  return { code, jumpTrue, jumpFalse, operand };
}

function answer(operand: number): Instruction {
  return { code: RETURN, jumpTrue: 0, jumpFalse: 0, operand };
}

// The calls inspected below take 32-bit arguments, so the lower half decides (little endian).
function argument(index: number): Instruction {
  return load(OFFSET_ARGUMENTS + index * 8);
}

/** Runs `block`, which must end in an answer, for one system call. */
function when(number: number, block: readonly Instruction[]): readonly Instruction[] {
  return [jump(JUMP_EQUAL, number, 0, block.length), ...block];
}

// A unix socket outside can be reached through a read-only bind, and vsock and others know no namespaces:
// new sockets are for the internet families and the routing table. socketpair is another call.
const SOCKET_FAMILIES: readonly Instruction[] = [
  argument(0),
  jump(JUMP_EQUAL, AF_INET, 5, 0),
  jump(JUMP_EQUAL, AF_INET6, 4, 0),
  jump(JUMP_EQUAL, AF_NETLINK, 0, 2),
  argument(2),
  jump(JUMP_EQUAL, NETLINK_ROUTE, 1, 0),
  answer(ERRNO | EPERM),
  answer(ALLOW),
];

const FAMILIES_WITH_UNIX: readonly Instruction[] = [
  argument(0),
  jump(JUMP_EQUAL, AF_UNIX, 0, 1),
  answer(ALLOW),
  ...SOCKET_FAMILIES,
];

// A datagram socket sends to any address, also one of a pair; a stream or a sequenced one only to its other end.
const PAIRS: readonly Instruction[] = [
  argument(0),
  jump(JUMP_EQUAL, AF_UNIX, 0, 4),
  argument(1),
  { code: AND, jumpTrue: 0, jumpFalse: 0, operand: SOCK_TYPE_BITS },
  jump(JUMP_EQUAL, SOCK_STREAM, 2, 0),
  jump(JUMP_EQUAL, SOCK_SEQPACKET, 1, 0),
  answer(ERRNO | EPERM),
  answer(ALLOW),
];

const PAIRS_OF_ANY_TYPE: readonly Instruction[] = [
  argument(0),
  jump(JUMP_EQUAL, AF_UNIX, 1, 0),
  answer(ERRNO | EPERM),
  answer(ALLOW),
];

// A segment that nobody has attached counts for no process. The size has 64 bits.
const SEGMENT_SIZE: readonly Instruction[] = [
  load(OFFSET_ARGUMENTS + 8 + 4),
  jump(JUMP_EQUAL, 0, 0, 2),
  argument(1),
  jump(JUMP_ABOVE, LARGEST_SEGMENT, 0, 1),
  answer(ERRNO | EINVAL),
  answer(ALLOW),
];

// What waits in a socket counts for no process: buffers keep the size that the kernel gives them. SO_SNDBUF, SO_RCVBUF
// and their forcing forms, which are wishes to every program.
const BUFFER_SIZES: readonly Instruction[] = [
  argument(1),
  jump(JUMP_EQUAL, SOL_SOCKET, 0, 6),
  argument(2),
  jump(JUMP_EQUAL, 7, 3, 0),
  jump(JUMP_EQUAL, 8, 2, 0),
  jump(JUMP_EQUAL, 32, 1, 0),
  jump(JUMP_EQUAL, 33, 0, 1),
  answer(ERRNO | DONE_WITHOUT_EFFECT),
  answer(ALLOW),
];

// Nor does a set of semaphores.
const SET_SIZE: readonly Instruction[] = [
  argument(1),
  jump(JUMP_ABOVE, LARGEST_SET, 0, 1),
  answer(ERRNO | EINVAL),
  answer(ALLOW),
];

/** Whoever runs a set-id file outside, later, would act as its owner, and its content came from a command. */
function refuseModes({ mode, flags }: ModeCall, bits: number): readonly Instruction[] {
  const creating = flags === undefined ? [] : [argument(flags), jump(JUMP_ANY_BIT, CREATING, 0, 3)];
  return [...creating, argument(mode), jump(JUMP_ANY_BIT, bits, 0, 1), answer(ERRNO | EPERM), answer(ALLOW)];
}

function refuseBits(bits: number): readonly Instruction[] {
  return [argument(0), jump(JUMP_ANY_BIT, bits, 0, 1), answer(ERRNO | EPERM), answer(ALLOW)];
}

// Typing into the terminal that started the server.
const TERMINAL_INJECTION: readonly Instruction[] = [
  argument(1),
  jump(JUMP_EQUAL, TIOCSTI, 1, 0),
  jump(JUMP_EQUAL, TIOCLINUX, 0, 1),
  answer(ERRNO | EPERM),
  answer(ALLOW),
];

// The first process of the sandbox dies with bwrap because it asked for it, and what runs beside it can write its
// memory. Nobody takes the request back; a program that means its own children finds them ended all the same.
const PARENT_DEATH: readonly Instruction[] = [
  argument(0),
  jump(JUMP_EQUAL, PR_SET_PDEATHSIG, 0, 3),
  argument(1),
  jump(JUMP_EQUAL, SIGKILL, 1, 0),
  answer(ERRNO | DONE_WITHOUT_EFFECT),
  answer(ALLOW),
];

export interface FilterOptions {
  /** For a command with a network namespace of its own, if the policy accepts what it may reach by path. */
  readonly unixSockets?: boolean;
}

/** The filter as the bytes of a `struct sock_filter[]`, the form that `bwrap --seccomp` reads. */
export function seccompFilter(table: SyscallTable, { unixSockets = false }: FilterOptions = {}): Buffer {
  const foreign =
    table.foreignFrom === undefined
      ? []
      : [jump(JUMP_AT_LEAST, table.foreignFrom, 0, 1), answer(KILL_PROCESS)];
  return assemble([
    load(OFFSET_ARCHITECTURE),
    jump(JUMP_EQUAL, table.audit, 1, 0),
    answer(KILL_PROCESS),
    load(OFFSET_NUMBER),
    ...foreign,
    ...when(table.socket, unixSockets ? FAMILIES_WITH_UNIX : SOCKET_FAMILIES),
    ...when(table.socketpair, unixSockets ? PAIRS_OF_ANY_TYPE : PAIRS),
    ...when(table.setsockopt, BUFFER_SIZES),
    ...when(table.shmget, SEGMENT_SIZE),
    ...when(table.semget, SET_SIZE),
    ...table.modes.flatMap((call) => when(call.number, refuseModes(call, SET_ID_BITS))),
    ...table.nodes.flatMap((call) => when(call.number, refuseModes(call, SET_ID_BITS | DEVICE_BIT))),
    ...when(table.clone, refuseBits(NEW_NAMESPACES)),
    ...when(table.unshare, refuseBits(NEW_NAMESPACES | NEW_TIME_NAMESPACE)),
    ...when(table.ioctl, TERMINAL_INJECTION),
    ...when(table.prctl, PARENT_DEATH),
    ...table.denied.flatMap((number) => when(number, [answer(ERRNO | EPERM)])),
    ...table.absent.flatMap((number) => when(number, [answer(ERRNO | ENOSYS)])),
    answer(ALLOW),
  ]);
}

function assemble(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8);
  program.forEach(({ code, jumpTrue, jumpFalse, operand }, index) => {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(jumpTrue, index * 8 + 2);
    bytes.writeUInt8(jumpFalse, index * 8 + 3);
    bytes.writeUInt32LE(operand >>> 0, index * 8 + 4);
  });
  return bytes;
}
