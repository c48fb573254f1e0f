import type { CommandOutcome, SandboxJob } from '../../../application/ports/command/command-sandbox.js';

const PROBE_PROCESSES = 41;

/** Shows from inside what the sandbox is. */
export function probeJob(stateFolder: string): SandboxJob {
  const size = 1024 * 1024 * 1024;
  return {
    program: { kind: 'argv', file: '/bin/cat', args: ['/proc/self/limits', '/proc/self/status'] },
    cwd: '/',
    env: {},
    view: { read: [], write: [], hide: [], readOnlyInside: [] },
    home: `${stateFolder}/probe`,
    network: 'none',
    systemCalls: 'filtered',
    limits: {
      timeoutMs: 10_000,
      maxOutputBytes: 16_384,
      memoryBytes: size,
      processes: PROBE_PROCESSES,
      openFiles: 64,
      cpuSeconds: 10,
      fileBytes: size,
      tmpBytes: 1024 * 1024,
    },
  };
}

/** A sandbox that starts and does not limit or filter is none. */
export function checkProbe({ exitCode, stdout, stderr }: CommandOutcome): string | undefined {
  if (exitCode !== 0) return stderr;
  const processes = /^Max processes +(\S+) /m.exec(stdout)?.[1];
  if (processes === undefined) return 'it does not say what its limits are';
  if (!(Number(processes) < 2 * PROBE_PROCESSES)) return 'its limits have no effect';
  return /^Seccomp:\s+2$/m.test(stdout) ? undefined : 'its system call filter has no effect';
}
