import { join } from 'node:path';
import { readRegularFile } from '../git-files.js';
import { firstLine } from '../git-pointers.js';
import type { ObjectReader } from '../object-reader.js';
import { headOf, packedValue, type Repository } from '../repository-head.js';

const SHA = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
const SHORT = /^[0-9a-f]{7,64}$/;
const NAME = /^(.*?)((?:[~^]\d*)*)$/s;
const LEFT = /\tcheckout: moving from (\S+) to \S+$/;
const MAX_LOG = 4 * 1024 * 1024;

/** The commit that git would understand; undefined where that takes more than looking at files. */
export async function commitNamed(
  repository: Repository,
  text: string,
  reader: ObjectReader,
): Promise<string | undefined> {
  const head = headOf(repository);
  const [, base = '', steps = ''] = NAME.exec(text) ?? [];
  const found = baseCommit(repository, base);
  if (head === undefined || found === undefined || /[:{}\s]/.test(steps)) return undefined;
  if (steps === '' && SHA.test(found)) return found;
  const answer = await reader.ask(head, ['rev-parse', '--verify', '-q', `${found}${steps}^{commit}`]);
  return answer?.trim();
}

function baseCommit(repository: Repository, base: string): string | undefined {
  const { own, common } = repository;
  if (base === '' || base === '@' || base === 'HEAD') return headOf(repository)?.commit;
  const back = base === '-' ? '1' : /^@\{-(\d+)\}$/.exec(base)?.[1];
  if (back !== undefined) {
    const left = leftBranch(own, Number(back));
    return left === undefined ? undefined : (refValue(common, `refs/heads/${left}`) ?? shaOnly(left));
  }
  const stash = /^(?:stash@\{(\d+)\}|(\d+)|stash)$/.exec(base);
  if (stash !== null) return stashed(common, Number(stash[1] ?? stash[2] ?? 0));
  if (/^[A-Z_]+_HEAD$/.test(base)) return shaOnly(firstLine(join(own, base)));
  if (/[\0-\x20*?[\\^~:@]|\.\./.test(base)) return undefined;
  for (const prefix of ['refs/tags/', 'refs/heads/', 'refs/remotes/', 'refs/remotes/origin/']) {
    const value = refValue(common, prefix + base);
    if (value !== undefined) return value;
  }
  return SHORT.test(base) ? base : undefined;
}

function refValue(common: string, name: string): string | undefined {
  return shaOnly(firstLine(join(common, name)) ?? packedValue(common, name));
}

function shaOnly(text: string | undefined): string | undefined {
  const name = text?.split(/\s/, 1)[0];
  return name !== undefined && SHA.test(name) ? name : undefined;
}

function leftBranch(own: string, back: number): string | undefined {
  const lines = (readRegularFile(join(own, 'logs/HEAD'), MAX_LOG) ?? '').split('\n');
  return lines.flatMap((line) => LEFT.exec(line)?.[1] ?? []).at(-back);
}

function stashed(common: string, index: number): string | undefined {
  const lines = (readRegularFile(join(common, 'logs/refs/stash'), MAX_LOG) ?? '').trimEnd().split('\n');
  return shaOnly(lines.at(-1 - index)?.split(' ')[1]);
}
