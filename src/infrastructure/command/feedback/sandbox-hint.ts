import type { CommandOutcome, SandboxJob } from '../../../application/ports/command/command-sandbox.js';
import { mebibytes } from '../process/mebibytes.js';
import { explainOutside } from './outside-hint.js';

type Cause =
  | 'git-config'
  | 'unix-socket'
  | 'read-only'
  | 'denied'
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

/** The only causes that matter although a command succeeded: `curl x || true`, `make; true`. */
const DESPITE_SUCCESS: ReadonlySet<Cause> = new Set(['git-config', 'read-only', 'network']);

const MOST_NAMES = 5;
const DENIED_WORDS = /permission denied|EACCES/i;
const READ_ONLY_WORDS = /read-only file system|EROFS/i;
// A mount keeps its name: what saves by renaming, as sed -i does, names the new file and not the one it means.
const BUSY_WORDS = /device or resource busy|\bEBUSY\b/i;
/** A request that needs a network, at the beginning of a command. */
const REQUEST =
  /(?:^|[;&|(\n]\s*)(?:\/\S*\/)?(?:curl|wget)(?=\s)[^;&|\n]*?[\s'"]https?:\/\/(?!localhost\b|127\.|0\.0\.0\.0|\[::)/;

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
  const hidden = namesIn(said, DENIED_WORDS, job.view.hide);
  const { readOnlyInside, couldAppear = [] } = job.view;
  const closed = [...readOnlyInside, ...couldAppear];
  const busy = BUSY_WORDS.test(said) ? namesIn(commandText(job), /^/, closed) : [];
  const fixed = [...new Set([...namesIn(said, READ_ONLY_WORDS, closed), ...busy])];
  const gone = namesIn(said, DENIED_WORDS, job.without ?? []);
  const named = [
    ...(hidden.length + gone.length > 0 ? ['denied'] : []),
    ...(fixed.length > 0 && !failed ? ['read-only'] : []),
  ];
  const causes = SIGNS.filter(([, sign]) => sign.test(said))
    .map(([cause]) => cause)
    .filter((cause) => (failed || DESPITE_SUCCESS.has(cause)) && !named.includes(cause))
    .filter((cause, _, all) => cause !== 'denied' || !all.includes('unix-socket'));
  if (causes.length === 0 && isSilentRequest(outcome, commandText(job))) causes.push('network');
  const byCode = BY_EXIT_CODE.get(outcome.exitCode);
  if (byCode !== undefined && !causes.includes(byCode)) causes.push(byCode);
  const sentences = new Set([
    ...(hidden.length > 0 ? [explainHidden(hidden)] : []),
    ...(fixed.length > 0 ? [explainProtected(fixed)] : []),
    ...(gone.length > 0 ? [explainGone(gone)] : []),
    ...explainOutside(said, commandText(job), job),
    ...causes.flatMap((cause) => explain(cause, job) ?? []),
    ...(left.length > 0 ? [explainLeft(left)] : []),
  ]);
  return sentences.size === 0 ? undefined : [...sentences].join(' ');
}

/** In a here-document it is text. */
function isSilentRequest(
  { exitCode, stderr }: Pick<CommandOutcome, 'exitCode' | 'stderr'>,
  text: string,
): boolean {
  if (exitCode !== 0) return NETWORK_PROGRAM.test(text);
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

/** A line in the form that programs use for errors, as opposed to content: `curl: (6) …`, `npm error …`. */
function isComplaint(line: string): boolean {
  return /^(?:[\w./-]*[A-Za-z][\w./-]*: |npm (?:error|ERR!|warn) |\s*\[?(?:error|warning)\b)/i.test(line);
}

/** The paths of a list that the lines with an error name, by their last part: commands name them in many ways. */
function namesIn(said: string, words: RegExp, paths: readonly string[]): readonly string[] {
  const lines = said.split('\n').filter((line) => words.test(line));
  if (lines.length === 0) return [];
  const names = new Set(paths.map((path) => path.slice(path.lastIndexOf('/') + 1)));
  return [...names]
    .filter((name) => name !== '' && lines.some((line) => isNamed(line, name)))
    .slice(0, MOST_NAMES);
}

/** As a whole: `.env` is neither in `my.env` nor in `.env.example`. */
function isNamed(line: string, name: string): boolean {
  for (let at = line.indexOf(name); at >= 0; at = line.indexOf(name, at + 1)) {
    const end = at + name.length;
    if (!/[\w.-]/.test(line.charAt(at - 1)) && !/^(?:[\w-]|\.\w)/.test(line.slice(end, end + 2))) return true;
  }
  return false;
}

function explainHidden(names: readonly string[]): string {
  return `Commands cannot read ${names.join(', ')}: the policy hides secrets from them. Work without, or ask the user.`;
}

function explainGone(names: readonly string[]): string {
  return `The policy denies ${names.join(', ')}: to commands it does not exist. Do the work with another program, or ask the user.`;
}

function explainProtected(names: readonly string[]): string {
  return `Commands cannot change ${names.join(', ')}: other programs execute or obey it later, so it is protected. Ask the user to make the change.`;
}

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
    case 'git-config':
      return "The repository's configuration is read-only for commands, because git runs what it names, unless the line is git alone: run git config, git remote, git branch -u or git submodule init as a line of its own, while no other command runs. Keys that name a program, and hooks, are for the user to change.";
    case 'unix-socket':
      return job.unixSockets && job.network === 'none'
        ? undefined
        : `Unix sockets cannot be opened in this sandbox${job.unixSockets ? ' by a command that has the network' : ''}. Use pipes or TCP on 127.0.0.1; in place of tsx FILE, run node --import tsx FILE.${job.unixSockets ? '' : ' The user can allow them with seccomp: unix_sockets at the sandbox in the policy.'}`;
    case 'network':
      if (job.network === 'host') return undefined;
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
