/** System calls that a command has no honest use for, by name; the numbers differ between architectures. */
const DENIED = {
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  process_madvise: [440, 440],
  pidfd_getfd: [438, 438],
  kcmp: [312, 272],
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  setns: [308, 268],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  open_tree_attr: [467, 467],
  name_to_handle_at: [303, 264],
  open_by_handle_at: [304, 265],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  bpf: [321, 280],
  userfaultfd: [323, 282],
  perf_event_open: [298, 241],
  fanotify_init: [300, 262],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  memfd_secret: [447, 447],
  lookup_dcookie: [212, 18],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
  swapon: [167, 224],
  swapoff: [168, 225],
  reboot: [169, 142],
  acct: [163, 89],
  syslog: [103, 116],
  vhangup: [153, 58],
  nfsservctl: [180, 42],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  adjtimex: [159, 171],
  clock_adjtime: [305, 266],
} as const satisfies Record<string, readonly [x86: number, arm: number]>;

// These exist on x86 alone.
const DENIED_X86 = { iopl: 172, ioperm: 173, modify_ldt: 154, _sysctl: 156, uselib: 134 } as const;

/**
 * Answered as if the kernel were older: programs then take the older call, which can be inspected. openat2 takes
 * its mode in memory, where no filter sees it; memory in a memfd that nobody maps counts for no process, nor do messages
 * in a queue, of which there may be 500 MB.
 */
const ABSENT = {
  clone3: [435, 435],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  openat2: [437, 437],
  memfd_create: [319, 279],
  msgget: [68, 186],
} as const satisfies Record<string, readonly [x86: number, arm: number]>;

/** A call that gives a file its mode: which arguments tell it, and whether only the creating form does. */
export interface ModeCall {
  readonly number: number;
  readonly mode: number;
  /** The argument with open's flags: without O_CREAT and O_TMPFILE the mode is whatever the register held. */
  readonly flags?: number;
}

export interface SyscallTable {
  /** AUDIT_ARCH_… as the kernel reports it. */
  readonly audit: number;
  /** Calls from this number on belong to a foreign calling convention (x32). */
  readonly foreignFrom: number | undefined;
  readonly denied: readonly number[];
  readonly absent: readonly number[];
  readonly socket: number;
  readonly socketpair: number;
  readonly setsockopt: number;
  readonly shmget: number;
  readonly semget: number;
  /** chmod and its kin, and the calls that create files. */
  readonly modes: readonly ModeCall[];
  /** mknod and its kin, which create devices as well. */
  readonly nodes: readonly ModeCall[];
  readonly clone: number;
  readonly unshare: number;
  readonly ioctl: number;
  readonly prctl: number;
}

const SYSCALLS_X86_64: SyscallTable = {
  audit: 0xc000003e,
  foreignFrom: 0x40000000,
  denied: [...Object.values(DENIED).map(([x86]) => x86), ...Object.values(DENIED_X86)],
  absent: Object.values(ABSENT).map(([x86]) => x86),
  socket: 41,
  socketpair: 53,
  setsockopt: 54,
  shmget: 29,
  semget: 64,
  modes: [
    { number: 90, mode: 1 }, // chmod
    { number: 91, mode: 1 }, // fchmod
    { number: 268, mode: 2 }, // fchmodat
    { number: 452, mode: 2 }, // fchmodat2
    { number: 85, mode: 1 }, // creat
    { number: 2, mode: 2, flags: 1 }, // open
    { number: 257, mode: 3, flags: 2 }, // openat
  ],
  nodes: [
    { number: 133, mode: 1 }, // mknod
    { number: 259, mode: 2 }, // mknodat
  ],
  clone: 56,
  unshare: 272,
  ioctl: 16,
  prctl: 157,
};

const SYSCALLS_AARCH64: SyscallTable = {
  audit: 0xc00000b7,
  foreignFrom: undefined,
  denied: Object.values(DENIED).map(([, arm]) => arm),
  absent: Object.values(ABSENT).map(([, arm]) => arm),
  socket: 198,
  socketpair: 199,
  setsockopt: 208,
  shmget: 194,
  semget: 190,
  modes: [
    { number: 52, mode: 1 }, // fchmod
    { number: 53, mode: 2 }, // fchmodat
    { number: 452, mode: 2 }, // fchmodat2
    { number: 56, mode: 3, flags: 2 }, // openat
  ],
  nodes: [{ number: 33, mode: 2 }], // mknodat
  clone: 220,
  unshare: 97,
  ioctl: 29,
  prctl: 167,
};

/** undefined: no table for this architecture, so there is no filter and no sandbox. */
export function syscallTableFor(architecture: string): SyscallTable | undefined {
  if (architecture === 'x64') return SYSCALLS_X86_64;
  if (architecture === 'arm64') return SYSCALLS_AARCH64;
  return undefined;
}
