import type { CommandOutcome, SandboxJob } from '../../../application/ports/command/command-sandbox.js';
import { mebibytes } from '../process/process-ending.js';
import { explainGuards, explainOutside } from './path-hints.js';

type Cause =
  | 'git-config'
  | 'unix-socket'
  | 'read-only'
  | 'denied'
  | 'trace'
  | 'not-executable'
  | 'network'
  | 'processes'
  | 'disk'
  | 'files'
  | 'memory'
  | 'file-size'
  | 'cpu';

const SIGNS: readonly (readonly [Cause, RegExp])[] = [
  ['git-config', /could not (write|lock) config file .*config/],
  ['read-only', /read-only file system|\bEROFS\b/i],
  [
    'network',
    /could not resolve|name resolution|name or service not known|\bENOTFOUND\b|EAI_AGAIN|ENETUNREACH|network is unreachable|no route to host|getaddrinfo|dial tcp|no matching distribution found|failed to connect(?! to (?:the )?(?:bus|docker))|unable to access 'https?:/i,
  ],
  [
    'processes',
    /cannot fork|fork: retry|resource temporarily unavailable|\bEAGAIN\b|can't start new thread/i,
  ],
  ['disk', /no space left on device|\bENOSPC\b/i],
  ['file-size', /file size limit exceeded|file too large|\bEFBIG\b/i],
  ['files', /too many open files|\bEMFILE\b/i],
  ['memory', /cannot allocate memory|out of memory|MemoryError|\bENOMEM\b|bad_alloc/i],
  [
    'unix-socket',
    /listen EPERM|connect EPERM|AF_UNIX|socket\.bind|self\._socket|\bunix:\/\/\/|\/run\/\S+\.sock\b/,
  ],
  ['trace', /\bptrace\b|PTRACE_/i],
  ['not-executable', /\bspawn \S+ EACCES|bad interpreter: permission denied/i],
  ['denied', /permission denied|operation not permitted|\bEACCES\b|\bEPERM\b/i],
];

// 128 + SIGXCPU and SIGXFSZ on Linux
const BY_EXIT_CODE: ReadonlyMap<number, Cause> = new Map([
  [152, 'cpu'],
  [153, 'file-size'],
]);

const READ_CHARACTERS = 16_384;

// These may fail without a word, as curl -s does.
const NETWORK_PROGRAM = /\b(curl|wget|ssh|scp|ping|nc)\b/;

/** These say more precisely what was not permitted. */
const INSTEAD_OF_DENIED: readonly Cause[] = ['unix-socket', 'trace', 'not-executable'];

/** Of a shell: the file is there and cannot be executed. */
const NOT_EXECUTABLE = 126;

/** The sandbox has a loopback of its own, which is always on: nobody listens there. */
const LOOPBACK = /\blocalhost\b|\b127(?:\.\d{1,3}){3}\b|\b0\.0\.0\.0\b|(?<![\w:])::1\b/;
const OTHER_HOST = /https?:\/\/(?!localhost\b|127\.|0\.0\.0\.0|\[::)/;

/** The only causes that matter although a command succeeded: `curl x || true`, `make; true`. */
const DESPITE_SUCCESS: ReadonlySet<Cause> = new Set(['git-config', 'read-only', 'network']);

const MOST_NAMES = 5;
/** A request that needs a network, at the beginning of a command. */
const REQUEST = new RegExp(
  `(?:^|[;&|(\\n]\\s*)(?:/\\S*/)?(?:curl|wget)(?=\\s)[^;&|\\n]*?[\\s'"]${OTHER_HOST.source}`,
);

/**
 * What to tell an agent whose command met the sandbox: the kernel's own words teach it nothing. An exit code of 0 does
 * not mean that nothing was refused, only that the last program did not mind.
 */
export function explainFailure(
  outcome: Pick<CommandOutcome, 'exitCode' | 'stdout' | 'stderr'>,
  job: SandboxJob,
  left: readonly string[] = [],
): string | undefined {
  const failed = outcome.exitCode !== 0;
  const said = errorsOf(outcome, job);
  const guards = explainGuards(said, commandText(job), job);
  const named = [
    ...(guards.explains.denied ? ['denied'] : []),
    ...(guards.explains.readOnly && !failed ? ['read-only'] : []),
  ];
  const causes = causesIn(said, outcome.exitCode).filter(
    (cause) => (failed || DESPITE_SUCCESS.has(cause)) && !named.includes(cause),
  );
  const isSilent = typeof job.network !== 'object' && isSilentRequest(outcome, commandText(job));
  if (causes.length === 0 && isSilent) causes.push('network');
  const byCode = BY_EXIT_CODE.get(outcome.exitCode);
  if (byCode !== undefined && !causes.includes(byCode)) causes.push(byCode);
  const sentences = new Set([
    ...guards.sentences,
    ...explainOutside(said, commandText(job), job),
    ...causes.flatMap((cause) => explain(cause, job) ?? []),
    ...explainHosts(job),
    ...(left.length > 0 ? [explainLeft(left)] : []),
  ]);
  return sentences.size === 0 ? undefined : [...sentences].join(' ');
}

function causesIn(said: string, exitCode: number): readonly Cause[] {
  const abroad = said
    .split('\n')
    .filter((line) => !LOOPBACK.test(line))
    .join('\n');
  const causes = SIGNS.filter(([cause, sign]) => sign.test(cause === 'network' ? abroad : said)).map(
    ([cause]) => (cause === 'denied' && exitCode === NOT_EXECUTABLE ? 'not-executable' : cause),
  );
  const isPrecise = INSTEAD_OF_DENIED.some((cause) => causes.includes(cause));
  return isPrecise ? causes.filter((cause) => cause !== 'denied') : causes;
}

/** In a here-document it is text. */
function isSilentRequest(
  { exitCode, stderr }: Pick<CommandOutcome, 'exitCode' | 'stderr'>,
  text: string,
): boolean {
  if (exitCode !== 0) return NETWORK_PROGRAM.test(text) && (!LOOPBACK.test(text) || OTHER_HOST.test(text));
  return stderr === '' && !text.includes('<<') && REQUEST.test(text.replace(/'(\S*?)'/g, '$1'));
}

/** What a successful command printed is content; only where errors were sent there too can it be about errors. */
function errorsOf(
  { exitCode, stdout, stderr }: Pick<CommandOutcome, 'exitCode' | 'stdout' | 'stderr'>,
  job: SandboxJob,
): string {
  const errors = stderr.slice(-READ_CHARACTERS);
  const printed = stdout.slice(-READ_CHARACTERS);
  const mixed = exitCode !== 0 || /2>&1|&>/.test(commandText(job));
  if (mixed) return `${errors}\n${printed}`;
  return job.joinStreams
    ? printed
        .split(/[\r\n]/)
        .filter(isComplaint)
        .join('\n')
    : errors;
}

/**
 * A line in the form that programs use for errors, as opposed to content: `curl: (6) …`, `npm error …`. A slow curl
 * writes its error behind the figures of its progress, on the same line.
 */
function isComplaint(line: string): boolean {
  return /^(?:[\s\d.:kMGTP-]*curl: \(\d+\) |[\w./-]*[A-Za-z][\w./-]*: |npm (?:error|ERR!|warn) |\s*\[?(?:error|warning)\b)/i.test(
    line,
  );
}

/** What was refused is known, whatever the program made of it. */
function explainHosts({ network }: SandboxJob): readonly string[] {
  const explained = typeof network === 'object' ? network.explain() : undefined;
  return explained === undefined ? [] : [explained];
}

const ONLY_LISTED =
  'Commands reach only the hosts that the policy lists, by name: https and http at their usual ports, others where a port is listed. Addresses and other ports are reached through the proxy http://127.0.0.1:3128, if they are listed.';

function explainLeft(names: readonly string[]): string {
  // The shell that a job runs in says nothing where the job itself is named.
  const jobs = names.filter((name) => !/^(ba|da)?sh$/.test(name));
  const shown = (jobs.length > 0 ? jobs : names).slice(0, MOST_NAMES).join(', ');
  return `What the command left running was ended with it: ${shown}. To keep a process for later calls, start it with background: true in place of &.`;
}

function commandText({ program }: SandboxJob): string {
  return program.kind === 'script' ? program.text : [program.file, ...program.args].join(' ');
}

function explain(cause: Cause, job: SandboxJob): string | undefined {
  const { limits } = job;
  switch (cause) {
    case 'read-only':
    case 'denied':
      return `The sandbox may have refused this. ${writableIn(job)} To write elsewhere, ask the user for a folder under filesystem.write of the sandbox in the policy.`;
    case 'trace':
      return job.systemCalls === 'filtered'
        ? 'A process cannot look into another in this sandbox (ptrace), so strace, ltrace and gdb do not work. Print what you need to know, or use a debugger inside the program (pdb, node inspect).'
        : undefined;
    case 'not-executable':
      return 'The file is not executable. Run it with its interpreter (sh FILE, python3 FILE, node FILE), or chmod +x it first.';
    case 'git-config':
      return "The settings and hooks of this repository are read-only for commands, because git runs what they name. Ask the user to change them; those of the workspace's own repository commands may change, where bubblewrap is there.";
    case 'unix-socket':
      return job.unixSockets && job.network !== 'host'
        ? undefined
        : `Unix sockets cannot be opened in this sandbox${job.unixSockets ? ' by a command that has the network' : ''}. Use pipes or TCP on 127.0.0.1; in place of tsx FILE, run node --import tsx FILE.${job.unixSockets ? '' : ' The user can allow them with seccomp: unix_sockets at the sandbox in the policy.'}`;
    case 'network':
      if (job.network === 'host') return undefined;
      if (typeof job.network === 'object') return ONLY_LISTED;
      return `The network is off in this sandbox. Work offline, or ask the user.${job.networkAdvice ?? ''}`;
    case 'processes':
      return `At most ${limits.processes} processes and threads may run at once. Use fewer jobs (such as -j 2), or ask the user to raise ${limitKey('processes')}.`;
    case 'disk':
      if (job.tmp !== undefined) return 'The disk is full. Remove what is not needed, or tell the user.';
      return `/tmp holds at most ${mebibytes(Math.min(limits.tmpBytes, limits.memoryBytes))} in this sandbox. Write large files to the workspace or to $HOME, or remove them as you go.`;
    case 'files':
      return `At most ${limits.openFiles} files may be open in one process. Ask the user to raise ${limitKey('open_files')}.`;
    case 'memory':
      return `The command may use ${mebibytes(limits.memoryBytes)} of memory. Ask for less at once, or ask the user to raise ${limitKey('memory')}.`;
    case 'file-size':
      return `One file may grow to ${mebibytes(limits.fileBytes)}. Write smaller files, or ask the user to raise ${limitKey('max_file_bytes')}.`;
    case 'cpu':
      return `The command used up its ${limits.cpuSeconds ?? 'allowed'} s of processor time. Ask for less at once, or for a longer timeout, with which it grows.`;
  }
}

/** Limits of files that extend each other meet at the smallest, so it is raised where it is set. */
function limitKey(name: string): string {
  return `limits.${name} of execute_command in the policy, where it is set`;
}

function writableIn(job: SandboxJob): string {
  const paths = [...job.view.write, '/tmp', '$HOME'];
  const shown = paths.slice(0, 8).join(', ');
  const except = job.view.readOnlyInside.slice(0, 4).join(', ');
  return `Writable: ${shown}${paths.length > 8 ? ', …' : ''}${except === '' ? '' : `; read-only inside: ${except}`}.`;
}
