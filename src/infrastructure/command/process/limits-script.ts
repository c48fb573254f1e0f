import { basename } from 'node:path';
import type {
  SandboxJob,
  SandboxLimits,
  SandboxProgram,
} from '../../../application/ports/command/command-sandbox.js';

// RLIMIT_DATA counts reserved stacks and heaps too, so it only stops one process that runs away faster than
// the watchdog looks; the watchdog holds the whole tree to what is really resident.
const RESERVED_BYTES = 512 * 1024 * 1024;

/**
 * The `ulimit` calls that set the limits of the shell that runs them. `shell` is the real file: dash and busybox
 * spell the process limit -p, bash and the others -u.
 */
export function limitsScript(limits: SandboxLimits, shell: string, counted: 'namespace' | 'user'): string {
  const name = basename(shell);
  const processes = name === 'dash' || name.startsWith('busybox') ? '-p' : '-u';
  const block = name === 'bash' ? 1024 : 512;
  const calls = [
    'ulimit -c 0',
    // Where the kernel counts every process of the user, this limit would strike the innocent.
    ...(counted === 'namespace' ? [`ulimit ${processes} ${limits.processes}`] : []),
    `ulimit -n ${limits.openFiles}`,
    ...(limits.cpuSeconds === undefined ? [] : [`ulimit -t ${limits.cpuSeconds}`]),
    `ulimit -f ${Math.max(1, Math.floor(limits.fileBytes / block))}`,
    `ulimit -d ${Math.ceil((limits.memoryBytes + RESERVED_BYTES) / 1024)}`,
  ];
  // A limit that is lower already cannot be raised, which is no failure.
  return `{ ${calls.join('; ')}; } 2>/dev/null`;
}

/** No start-up file, no function and no option from the environment has a say in how the text is read. */
const SHELL_OPTIONS = ['--noprofile', '--norc', '-p'];

export function plainArgv(program: SandboxProgram): readonly [file: string, ...args: string[]] {
  switch (program.kind) {
    case 'argv':
      return [program.file, ...program.args];
    case 'script':
      return [program.shell, ...SHELL_OPTIONS, '-c', program.text];
  }
}

/** The argv that joins its streams where the job says so, and then becomes the program. */
export function jobArgv({
  program,
  joinStreams = false,
}: Pick<SandboxJob, 'program' | 'joinStreams'>): readonly [file: string, ...args: string[]] {
  return joinStreams ? ['/bin/sh', '-c', 'exec "$@" 2>&1', 'sh', ...plainArgv(program)] : plainArgv(program);
}

/** The argv that sets the limits and then becomes the program. */
export function limitedCommand(job: SandboxJob, limits: string): readonly string[] {
  return ['/bin/sh', '-c', `${limits}; exec "$@"`, 'sh', ...jobArgv(job)];
}
