import { mkdirSync, writeFileSync } from 'node:fs';
import { isAbsolute, normalize } from 'node:path';
import type { Carriage } from '../carriage.js';
import { isRefValue } from '../rules/ref-names.js';
import { BaseChanges } from '../sides/base-log.js';
import { join } from '../sides/refs.js';
import { wordFor } from '../sides/snapshot.js';
import type { Unit } from '../sides/units.js';

const MAX_POINTER = 8_192;
const NEW_HEAD = 'ref: refs/heads/main';
const NEW_CONFIG = '\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true\n';

/** A submodule's git folder that a command made: a clean one on the real side, into which data is then carried. */
export function makeUnit(run: Carriage, unit: Unit): void {
  if (unit.path === '' || run.outside.tree.isFolder(unit.path)) return;
  const config = run.inside.tree.read(join(unit.path, 'config'), 1 << 20)?.toString('latin1') ?? '';
  makeGitFolder(run.real(unit.path), /^\s*objectformat\s*=\s*"?sha256/im.test(config));
  noteMade(run, unit);
}

/** A clean git folder is what both sides were at the last sync. */
export function noteMade(run: Carriage, unit: Unit): void {
  const text = run.outside.tree.read(join(unit.path, 'config'), 1 << 20) ?? Buffer.alloc(0);
  const changes = new BaseChanges();
  changes.set('HEAD', NEW_HEAD, NEW_HEAD);
  const value = run.texts.keep(wordFor('config', text), text);
  changes.set('config', value, value);
  run.base.note(unit, changes);
}

/** As `git init` makes one, without its examples. */
export function makeGitFolder(folder: string, isWide: boolean): void {
  for (const part of ['objects/pack', 'objects/info', 'refs/heads', 'refs/tags', 'info', 'hooks'])
    mkdirSync(`${folder}/${part}`, { recursive: true });
  writeFileSync(`${folder}/HEAD`, `${NEW_HEAD}\n`);
  const extension = isWide ? '[extensions]\n\tobjectFormat = sha256\n' : '';
  writeFileSync(
    `${folder}/config`,
    `[core]\n\trepositoryformatversion = ${isWide ? 1 : 0}\n${NEW_CONFIG}${extension}`,
  );
}

/** Whether the files of a linked worktree lie where commands may put them. */
export function pointsInside({ place }: Carriage, pointer: string): boolean {
  return (
    isAbsolute(pointer) &&
    normalize(pointer) === pointer &&
    pointer.startsWith(`${place.workspace}/`) &&
    pointer.endsWith('/.git')
  );
}

/** The folder of a linked worktree on the real side. false: its pointers lead where no command may lead git. */
export function makeWorktree(run: Carriage, unit: Unit): boolean {
  if (run.outside.tree.isFolder(unit.path)) return run.base.units.has(unit.path);
  const read = (name: string): string =>
    run.inside.tree.read(join(unit.path, name), MAX_POINTER)?.toString('utf8').trim() ?? '';
  const [pointer, head] = [read('gitdir'), read('HEAD')];
  if (!pointsInside(run, pointer) || read('commondir') !== '../..') {
    run.staysInside(`${unit.path}, whose pointers lead out of the workspace`);
    return false;
  }
  const made = isRefValue(head) ? head : NEW_HEAD;
  run.outside.tree.write(join(unit.path, 'gitdir'), `${pointer}\n`);
  run.outside.tree.write(join(unit.path, 'commondir'), '../..\n');
  run.outside.tree.write(join(unit.path, 'HEAD'), `${made}\n`);
  const changes = new BaseChanges();
  changes.setOutside('HEAD', made);
  changes.setOutside('gitdir', wordFor('gitdir', Buffer.from(`${pointer}\n`)));
  run.base.note(unit, changes);
  return true;
}
