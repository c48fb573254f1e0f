import type { ChildProcess } from 'node:child_process';
import type { SandboxJob } from '../../../application/ports/command/command-sandbox.js';
import { DiskAccount } from '../process/disk-account.js';
import { watchDisk } from '../process/disk-watchdog.js';
import { mebibytes } from '../process/process-ending.js';
import { MaskedCommand } from '../session/masked-command.js';
import type { BubblewrapHost } from './bubblewrap-host.js';
import type { CommandIsolation } from './command-isolation.js';

interface BegunCommand {
  readonly child: ChildProcess;
  readonly isolation: CommandIsolation;
}

/** A command that was let go, and what to call when nothing of it is left. */
export interface WatchedCommand {
  /** Sentences about processes of it that were ended for what they held. */
  readonly notes: readonly string[];
  readonly over: () => void;
}

/** To be called when a command is about to begin. */
export function watchBegun(
  host: BubblewrapHost,
  job: SandboxJob,
  command: BegunCommand,
  end: (why: string) => void,
): WatchedCommand {
  const { child, isolation } = command;
  isolation.prewarm?.();
  const processes = (): readonly number[] => isolation.processes(child);
  const leave = host.commands.add(processes);
  const stopWatching = watchItsDisk(host, job, command, end);
  const over = (): void => {
    leave();
    stopWatching();
  };
  if (job.onLive === undefined) return { notes: [], over };
  const live = new MaskedCommand({
    // Without the filter it could keep a descriptor where nobody finds it.
    view: job.systemCalls === 'filtered' ? isolation.view : undefined,
    nothing: host.system.nothing,
    processesToPause: () => isolation.processesToPause(child),
    processes,
    stop: end,
    queue: isolation.masks,
  });
  const gone = job.onLive(live);
  return {
    notes: live.notes,
    over: () => {
      over();
      live.over();
      gone();
    },
  };
}

function watchItsDisk(
  host: BubblewrapHost,
  { view, home, tmp, limits, session }: SandboxJob,
  { child, isolation }: BegunCommand,
  end: (why: string) => void,
): () => void {
  const { diskBytes } = limits;
  if (diskBytes === undefined) return () => undefined;
  const account = session === undefined ? undefined : host.sessions?.diskOf(session);
  const who = account === undefined ? 'It' : 'The commands of this session';
  const why = (): string =>
    `${who} wrote more than ${mebibytes(diskBytes)} in /tmp, the home of commands and the workspace, the most that "limits.disk" allows; every file counts at least 4 KiB. Remove what is not needed, or ask for a higher limit.`;
  // The git folder of commands, for one: it lies elsewhere than it is seen.
  const bound = (view.binds ?? []).flatMap(({ source, isReadOnly }) => (isReadOnly ? [] : [source]));
  const watch = {
    folders: [...view.write, ...bound, home, ...(tmp === undefined ? [] : [tmp])],
    limitBytes: diskBytes,
    processes: () => isolation.processes(child),
    everyone: () => host.commands.processes(),
    writers: host.writers,
    account: account ?? new DiskAccount(),
  };
  return watchDisk(watch, () => end(why()));
}
