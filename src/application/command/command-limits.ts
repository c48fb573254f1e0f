import type { BackgroundRule } from '../../domain/permission/policy/background-rule.js';
import type { Obligations } from '../../domain/permission/policy/obligations.js';
import type { SandboxLimits } from '../ports/command/command-sandbox.js';

const MIB = 1024 * 1024;

export const COMMAND_TIMEOUT_MS = 30_000;
export const COMMAND_OUTPUT_BYTES = 256 * 1024;

/** Used where the policy says nothing. Compilers and package managers start a process or thread a core and more. */
const DEFAULTS = {
  memoryBytes: 2048 * MIB,
  processes: 512,
  openFiles: 1024,
  fileBytes: 1024 * MIB,
  tmpBytes: 512 * MIB,
  diskBytes: 8 * 1024 * MIB,
} as const;

/** Processor time of one process: enough for a few threads that work for the whole time. */
const CPU_PER_SECOND = 8;
/** Newlines, quotes and control characters take more room in an answer than they did in the output. */
const ROOM_FOR_ESCAPES = 0.75;

/** The time that the policy gives, which is also what a caller gets who asks for none. */
export function longestTimeMs({ limits, timeoutNamed }: Obligations, background?: BackgroundRule): number {
  if (background !== undefined) return Math.min(limits.timeoutMs ?? background.ttlMs, background.ttlMs);
  const allowed = limits.timeoutMs ?? COMMAND_TIMEOUT_MS;
  return timeoutNamed ? allowed : Math.min(allowed, COMMAND_TIMEOUT_MS);
}

/** `asked` seconds can only shorten the policy's time. */
export function commandLimits(
  obligations: Obligations,
  asked: number | undefined,
  background?: BackgroundRule,
): SandboxLimits {
  const { limits } = obligations;
  const longest = longestTimeMs(obligations, background);
  const timeoutMs = asked === undefined ? longest : Math.min(longest, asked * 1000);
  // A process of the background that lives until its ttl may have worked all the time.
  const isTimed = background === undefined || limits.timeoutMs !== undefined || asked !== undefined;
  return {
    timeoutMs,
    maxOutputBytes: Math.floor((limits.maxOutputBytes ?? COMMAND_OUTPUT_BYTES) * ROOM_FOR_ESCAPES),
    memoryBytes: limits.memoryBytes ?? DEFAULTS.memoryBytes,
    processes: limits.processes ?? DEFAULTS.processes,
    openFiles: limits.openFiles ?? DEFAULTS.openFiles,
    ...(isTimed && { cpuSeconds: Math.ceil((timeoutMs / 1000) * CPU_PER_SECOND) }),
    fileBytes: limits.maxFileBytes ?? DEFAULTS.fileBytes,
    tmpBytes: DEFAULTS.tmpBytes,
    diskBytes: limits.diskBytes ?? DEFAULTS.diskBytes,
  };
}
