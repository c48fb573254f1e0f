import { trustedGit } from '../carrier/trusted-git.js';

/** A commit of a git folder, and all before it. Fails where there is none of that name. */
export function commitsUpTo(folder: string, revision: string): readonly string[] {
  const { isDone, out, complaint } = trustedGit(['rev-list', '--end-of-options', revision, '--'], { folder });
  if (!isDone) throw new Error(`${revision} names no commit: ${complaint}`);
  return out
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '');
}
