import type { BackgroundRule } from '../../domain/permission/policy/background-rule.js';
import type { Obligations } from '../../domain/permission/policy/obligations.js';
import type { SandboxLimits } from '../ports/command/command-sandbox.js';

const MIB = 1024 * 1024;

export const COMMAND_TIMEOUT_MS = 30_000;
export const COMMAND_OUTPUT_BYTES = 256 * 1024;

/**
 * Used if the policy sets nothing. Compilers and package managers start one or more processes or threads per
 * core.
 */
const DEFAULTS = {
  memoryBytes: 2048 * MIB,
  processes: 512,
  openFiles: 1024,
  fileBytes: 1024 * MIB,
  tmpBytes: 512 * MIB,
  diskBytes: 8 * 1024 * MIB,
} as const;

/** CPU time of one process: enough for a few threads that are busy all the time. */
const CPU_PER_SECOND = 8;
/** Newlines, quotes and control characters take more space in a result than in the output. */
const ROOM_FOR_ESCAPES = 0.75;

/** Seconds until a call returns while its command keeps running. */
export const DEFAULT_WAIT_S = 30;

/** What a caller asked for, in seconds. */
export interface AskedTime {
  readonly timeout?: number | undefined;
  readonly wait?: number | undefined;
  /** True if the result does not wait for the command at all. */
  readonly background?: boolean | undefined;
}

export interface TimeLimit {
  readonly ms: number;
  /** The key of execute_command that a user changes to get more. */
  readonly setting: 'timeout' | 'background.ttl';
}

/**
 * The policy's limit, which is also the default. `timeout` applies to a command that would end before its answer. A
 * command that outlives its answer runs in the background, and only `background.ttl` applies to it.
 */
export function timeLimit(
  { limits, timeoutNamed }: Obligations,
  { wait = DEFAULT_WAIT_S, background = false }: AskedTime,
  rule: BackgroundRule | undefined,
): TimeLimit {
  const { timeoutMs } = limits;
  if (rule === undefined) {
    const allowed = timeoutMs ?? COMMAND_TIMEOUT_MS;
    return { ms: timeoutNamed ? allowed : Math.min(allowed, COMMAND_TIMEOUT_MS), setting: 'timeout' };
  }
  const isForeground = !background && timeoutMs !== undefined && timeoutMs <= wait * 1000;
  if (isForeground && timeoutMs < rule.ttlMs) return { ms: timeoutMs, setting: 'timeout' };
  return { ms: rule.ttlMs, setting: 'background.ttl' };
}

/** `asked.timeout` can only shorten the policy's limit. */
export function commandLimits(
  obligations: Obligations,
  asked: AskedTime = {},
  rule?: BackgroundRule,
): SandboxLimits {
  const { limits } = obligations;
  const { ms: longest, setting } = timeLimit(obligations, asked, rule);
  const timeoutMs = asked.timeout === undefined ? longest : Math.min(longest, asked.timeout * 1000);
  // A background process may be busy for its whole time to live.
  const isTimed = setting === 'timeout' || asked.timeout !== undefined;
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
