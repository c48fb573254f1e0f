import type { ChildProcess } from 'node:child_process';
import type { SandboxJob } from '../../../application/ports/command/command-sandbox.js';
import { DiskAccount, watchDisk } from '../process/disk-watchdog.js';
import { SandboxedCommand } from '../view/mount/sandboxed-command.js';
import type { BubblewrapHost } from './bubblewrap-host.js';
import type { CommandQuarters } from './command-quarters.js';
import { mebibytes } from './sandbox-hint.js';

interface BegunCommand {
  readonly child: ChildProcess;
  readonly quarters: CommandQuarters;
  /** The first process of its sandbox. */
  readonly pid: number | undefined;
}

/** To be called when a command is about to begin; what it answers, when nothing of it is left. */
export function watchBegun(
  host: BubblewrapHost,
  job: SandboxJob,
  command: BegunCommand,
  end: (why: string) => void,
): () => void {
  const { child, quarters, pid } = command;
  const { nsenter, system } = host;
  quarters.makeAhead();
  const { setup, covers } = quarters;
  const leave = host.neighbours.add(() => quarters.processes(child));
  const stopWatching = watchItsDisk(host, job, command, end);
  const over = (): void => {
    leave();
    stopWatching();
  };
  if (pid === undefined || job.onLive === undefined) return over;
  const sandbox =
    setup !== undefined && nsenter !== undefined
      ? { pid, setup, nsenter, nothing: system.nothing }
      : undefined;
  const live = new SandboxedCommand(() => quarters.neighbours(child), sandbox, end, covers);
  const gone = job.onLive(live);
  return () => {
    over();
    live.over();
    gone();
  };
}

function watchItsDisk(
  host: BubblewrapHost,
  { view, home, tmp, limits, session }: SandboxJob,
  { child, quarters }: BegunCommand,
  end: (why: string) => void,
): () => void {
  const { diskBytes } = limits;
  if (diskBytes === undefined) return () => undefined;
  const account = session === undefined ? undefined : host.sessions?.diskOf(session);
  const who = account === undefined ? 'It' : 'The commands of this session';
  const why = `${who} wrote more than ${mebibytes(diskBytes)} in /tmp, the home of commands and the workspace, the most that "limits.disk" allows; every file counts at least 4 KiB. Remove what is not needed, or ask for a higher limit.`;
  const watch = {
    folders: [...view.write, home, ...(tmp === undefined ? [] : [tmp])],
    limitBytes: diskBytes,
    processes: () => quarters.processes(child),
    everyone: () => host.neighbours.all(),
    writers: host.writers,
    account: account ?? new DiskAccount(),
  };
  return watchDisk(watch, () => end(why));
}
