import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { trustedGit } from '../trusted-git.js';
import type { PushState } from './push-state.js';

const KEPT_SECONDS = 30 * 24 * 60 * 60;

/**
 * Keeps tips that are about to be replaced or deleted, with what only they lead to, in a repository of the airlock's own: the
 * user's next gc may remove them from the real one.
 */
export function keepTips(push: PushState, lost: readonly (readonly [name: string, tip: string])[]): void {
  if (lost.length === 0) return;
  const { run, unit, base } = push;
  const folder = `${run.place.state}/kept.git`;
  const real = run.real(unit.common);
  prepare(folder, `${real}/objects`, lost[0]?.[1].length === 64);
  const gone = new Set(lost.map(([, tip]) => tip));
  const staying = [...base.outside].filter(
    ([name, value]) => name.startsWith('refs/') && !gone.has(value) && /^[0-9a-f]+$/.test(value),
  );
  const input = [...gone, ...new Set(staying.map(([, value]) => `^${value}`)), ''].join('\n');
  const pack = trustedGit(['pack-objects', '--revs', '--stdout', '-q'], { folder: real, input });
  const isKept =
    pack.isDone && trustedGit(['index-pack', '--stdin', '--fix-thin'], { folder, input: pack.out }).isDone;
  if (!isKept) {
    run.note(`Commits that are about to be replaced could not be kept: ${pack.complaint}`);
    return;
  }
  const now = Math.floor(Date.now() / 1_000);
  const expired = trustedGit(['for-each-ref', '--format=%(refname)', 'refs/kept/'], { folder })
    .out.toString('utf8')
    .split('\n')
    .filter((name) => name !== '' && Number(name.split('/')[2]) < now - KEPT_SECONDS);
  const lines = [
    ...expired.map((name) => `delete ${name}`),
    ...lost.map(([name, tip]) => `update refs/kept/${now}/${push.label(name)} ${tip}`),
  ];
  trustedGit(['update-ref', '--stdin'], { folder, input: `${lines.join('\n')}\n` });
  if (expired.length > 0) trustedGit(['prune-packed', '-q'], { folder });
}

function prepare(folder: string, objects: string, isWide: boolean): void {
  if (existsSync(`${folder}/HEAD`)) return;
  for (const part of ['objects/info', 'objects/pack', 'refs'])
    mkdirSync(`${folder}/${part}`, { recursive: true });
  writeFileSync(`${folder}/objects/info/alternates`, `${objects}\n`);
  const format = isWide ? '1\n[extensions]\n\tobjectformat = sha256\n[core]' : '0';
  writeFileSync(`${folder}/config`, `[core]\n\trepositoryformatversion = ${format}\n\tbare = true\n`);
  writeFileSync(`${folder}/HEAD`, 'ref: refs/heads/none\n');
}
