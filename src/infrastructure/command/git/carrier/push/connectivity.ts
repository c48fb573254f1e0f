import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import type { Carriage } from '../carriage.js';
import { OBJECT_NAME } from '../rules/ref-names.js';
import { join } from '../sides/refs.js';
import type { Items } from '../sides/snapshot.js';
import type { Unit } from '../sides/units.js';
import { trustedGit } from '../trusted-git.js';
import type { NewCommits, PushState } from './push-state.js';

/** Whether everything that these tips need is in the real store, and which commits are new there. */
export function isConnected({ run, unit, base }: PushState, tips: readonly string[]): NewCommits {
  if (tips.length === 0) return { isWhole: true, list: new Map() };
  const known = new Set(tipsOf(base.outside));
  const config = configOf(run, unit);
  const args = isPromised(config) ? ['--exclude-promisor-objects'] : [];
  const input = [...tips, ...[...known].map((value) => `^${value}`), ''].join('\n');
  const answer = trustedGit(['rev-list', '--objects', '--timestamp', '--parents', ...args, '--stdin'], {
    folder: run.real(unit.path),
    input,
  });
  if (!answer.isDone) return { isWhole: false, list: new Map() };
  const list = new Map<string, readonly string[]>();
  for (const line of answer.out.toString('latin1').split('\n')) {
    const [time = '', commit, ...parents] = line.split(' ');
    if (commit !== undefined && time.length < 20 && OBJECT_NAME.test(commit)) list.set(commit, parents);
  }
  return { isWhole: true, list };
}

function configOf(run: Carriage, { common }: Unit): string {
  return run.outside.tree.read(join(common, 'config'), 1 << 20)?.toString() ?? '';
}

/** The values of HEAD and refs that are names of objects. */
export function tipsOf(items: Items): readonly string[] {
  return [...items]
    .filter(([name, value]) => (name === 'HEAD' || name.startsWith('refs/')) && OBJECT_NAME.test(value))
    .map(([, value]) => value);
}

export function isPromised(config: string): boolean {
  return /^\s*promisor\s*=\s*true/im.test(config);
}

/** Whether the new commits lead back to the old one. Where they do not tell, git is asked. */
export function isFastForward({ run, unit, commits }: PushState, from: string, to: string): boolean {
  const waiting = [to];
  const seen = new Set<string>();
  for (let commit = waiting.pop(); commit !== undefined; commit = waiting.pop()) {
    if (commit === from) return true;
    if (seen.has(commit)) continue;
    seen.add(commit);
    waiting.push(...(commits.list.get(commit) ?? []));
  }
  return trustedGit(['merge-base', '--is-ancestor', from, to], { folder: run.real(unit.path) }).isDone;
}

/** Remembers what comes through: it is not the user's own work. */
export function rememberPassed({ run, unit, commits, changed, base, now }: PushState): void {
  const moved = changed.filter((name) => name.startsWith('refs/'));
  if (!commits.isWhole || (commits.list.size === 0 && moved.length === 0)) return;
  run.commits += commits.list.size;
  if (commits.list.size > 0 && /^\s*gpgsign\s*=\s*true/im.test(configOf(run, unit))) run.unsigned = true;
  const refs = Object.fromEntries(
    moved.map((name) => [name, [base.outside.get(name) ?? '', now.get(name) ?? '']]),
  );
  addToLog(run, { unit: unit.path, commits: [...commits.list.keys()], refs });
}

/** On the disk before anything is moved: a kill in between must not make an agent's commit the user's. */
export function addToLog({ place }: Carriage, line: object): void {
  const file = openSync(`${place.state}/passed.jsonl`, 'a', 0o600);
  try {
    writeSync(file, `${JSON.stringify({ at: new Date().toISOString(), ...line })}\n`);
    fdatasyncSync(file);
  } finally {
    closeSync(file);
  }
}
