import type { CommandOutcome, SandboxJob } from '../../application/ports/command-sandbox.js';

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
  ['read-only', /read-only file system|EROFS/i],
  [
    'network',
    /could not resolve|name resolution|name or service not known|ENOTFOUND|EAI_AGAIN|ENETUNREACH|network is unreachable|no route to host|getaddrinfo|dial tcp|failed to connect|unable to access 'https?:/i,
  ],
  ['processes', /cannot fork|fork: retry|resource temporarily unavailable|EAGAIN|can't start new thread/i],
  ['disk', /no space left on device|ENOSPC/i],
  ['file-size', /file size limit exceeded|file too large|EFBIG/i],
  ['files', /too many open files|EMFILE/i],
  ['memory', /cannot allocate memory|out of memory|MemoryError|ENOMEM|bad_alloc/i],
  ['unix-socket', /listen EPERM|connect EPERM|AF_UNIX|socket\.bind|self\._socket/],
  ['denied', /permission denied|operation not permitted|EACCES|EPERM/i],
];

// 128 + SIGXCPU and SIGXFSZ on Linux
const BY_EXIT_CODE: ReadonlyMap<number, Cause> = new Map([
  [152, 'cpu'],
  [153, 'file-size'],
]);

// These may fail without a word, as curl -s does.
const NETWORK_PROGRAM = /\b(curl|wget|ssh|scp|ping|nc)\b/;

/** What to tell an agent whose command failed on the sandbox: the kernel's own words teach it nothing. */
export function explainFailure(
  outcome: Pick<CommandOutcome, 'exitCode' | 'stdout' | 'stderr'>,
  job: SandboxJob,
): string | undefined {
  if (outcome.exitCode === 0) return undefined;
  const said = `${outcome.stderr.slice(-16_384)}\n${outcome.stdout.slice(-16_384)}`;
  const causes = SIGNS.filter(([, sign]) => sign.test(said)).map(([cause]) => cause);
  if (causes.length === 0 && NETWORK_PROGRAM.test(commandText(job))) causes.push('network');
  const byCode = BY_EXIT_CODE.get(outcome.exitCode);
  if (byCode !== undefined && !causes.includes(byCode)) causes.push(byCode);
  const sentences = new Set(causes.flatMap((cause) => explain(cause, job) ?? []));
  return sentences.size === 0 ? undefined : [...sentences].join(' ');
}

function commandText({ program }: SandboxJob): string {
  return program.kind === 'script' ? program.text : [program.file, ...program.args].join(' ');
}

function explain(cause: Cause, job: SandboxJob): string | undefined {
  const { limits } = job;
  switch (cause) {
    case 'read-only':
    case 'denied':
      return `The sandbox may have refused this. ${writableIn(job)} To write elsewhere, ask the user for a path under filesystem.write of the sandbox in the policy, such as \`sandboxes: { workspace: { filesystem: { write: [".", /srv/data] } } }\`, or for the workspace itself with \`tools: { execute_command: { sandbox: workspace } }\`.`;
    case 'git-config':
      return "The repository's configuration and hooks are read-only for commands, because git runs what they name. Ask the user to change them.";
    case 'unix-socket':
      return 'Unix sockets cannot be opened in this sandbox. Use pipes or TCP on 127.0.0.1; in place of tsx FILE, run node --import tsx FILE. A sandbox without the filter lets them: `sandboxes: { workspace: { seccomp: none } }` in the policy.';
    case 'network':
      if (job.network === 'host') return undefined;
      return `The network is off in this sandbox. Work offline, or ask the user for it in the policy: \`${networkEntry(job)}\`.`;
    case 'processes':
      return `At most ${limits.processes} processes and threads may run at once. Use fewer jobs (such as -j 2), or ask the user for more: \`${limitEntry(`processes: ${limits.processes * 2}`)}\`.`;
    case 'disk':
      return `/tmp holds at most ${mebibytes(limits.tmpBytes)} in this sandbox. Write large files to the workspace or to $HOME, or remove them as you go.`;
    case 'files':
      return `At most ${limits.openFiles} files may be open in one process. Ask the user for more: \`${limitEntry(`open_files: ${limits.openFiles * 2}`)}\`.`;
    case 'memory':
      return `The command may use ${mebibytes(limits.memoryBytes)} of memory. Ask for less at once, or ask the user for more: \`${limitEntry(`memory: ${inMebibytes(limits.memoryBytes * 2)}`)}\`.`;
    case 'file-size':
      return `One file may grow to ${mebibytes(limits.fileBytes)}. Write smaller files, or ask the user for more: \`${limitEntry(`max_file_bytes: ${inMebibytes(limits.fileBytes * 2)}`)}\`.`;
    case 'cpu':
      return `The command used up its ${limits.cpuSeconds} s of processor time. Ask for less at once, or for a longer timeout, with which it grows.`;
  }
}

/** One program can have it alone; a line of several needs it for each, so the whole tool is the shorter entry. */
function networkEntry({ program }: SandboxJob): string {
  const name = program.kind === 'script' ? undefined : program.file.slice(program.file.lastIndexOf('/') + 1);
  return name === undefined || !/^[\w.+-]+$/.test(name)
    ? 'tools: { execute_command: { network: full } }'
    : `tools: { execute_command: { allowed_commands: [{ command: ${name}, network: full }] } }`;
}

function limitEntry(limit: string): string {
  return `tools: { execute_command: { limits: { ${limit} } } }`;
}

function inMebibytes(bytes: number): string {
  return `${Math.max(1, Math.ceil(bytes / 1024 / 1024))}MiB`;
}

function writableIn(job: SandboxJob): string {
  const paths = [...job.view.write, '/tmp', '$HOME'];
  const shown = paths.slice(0, 8).join(', ');
  const except = job.view.readOnlyInside.slice(0, 4).join(', ');
  return `Writable: ${shown}${paths.length > 8 ? ', …' : ''}${except === '' ? '' : `; read-only inside: ${except}`}.`;
}

export function mebibytes(bytes: number): string {
  return bytes >= 1024 * 1024 ? `${Math.floor(bytes / 1024 / 1024)} MiB` : `${Math.floor(bytes / 1024)} KiB`;
}
