import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { GroupTree } from '../../src/infrastructure/command/process/command-groups.js';

/** Every file of a group that is written, as Linux 6 has them; `without` are not there. */
const FILES = [
  'cgroup.procs',
  'cgroup.kill',
  'memory.max',
  'memory.swap.max',
  'memory.oom.group',
  'memory.events',
  'pids.max',
];

/** A folder with the files of a delegated cgroup v2. It keeps what was written into groups that are gone. */
export class FakeGroups implements GroupTree {
  readonly folder: string;
  /** Of each group that was removed, by its name: its files. */
  readonly removed: { readonly name: string; readonly files: Readonly<Record<string, string>> }[] = [];
  path = '/unit.service';
  events = 'oom 0\noom_kill 0\n';
  without: readonly string[] = [];
  /** How often a group says that it is not empty yet. */
  busy = 0;

  constructor(readonly root: string) {
    this.folder = join(root, this.path);
    mkdirSync(this.folder);
    this.set('cgroup.controllers', 'cpu io memory pids\n');
    this.set('cgroup.type', 'domain\n');
    this.set('cgroup.procs', `${process.pid}\n`);
    this.set('cgroup.subtree_control', '');
  }

  readonly membership = (): string => `1:name=systemd:/elsewhere\n0::${this.path}\n`;

  readonly make = (folder: string): void => {
    mkdirSync(folder);
    for (const name of FILES.filter((file) => !this.without.includes(file)))
      writeFileSync(join(folder, name), name === 'memory.events' ? this.events : '');
  };

  readonly remove = (folder: string): void => {
    if (this.busy > 0) {
      this.busy -= 1;
      throw new Error('EBUSY');
    }
    const files = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]);
    rmSync(folder, { recursive: true });
    this.removed.push({ name: basename(folder), files: Object.fromEntries(files) });
  };

  set(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text);
  }

  add(name: string, text: string): void {
    appendFileSync(join(this.folder, name), text);
  }

  text(name: string): string {
    return readFileSync(join(this.folder, name), 'utf8');
  }

  groups(): readonly string[] {
    return readdirSync(this.folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
  }
}
