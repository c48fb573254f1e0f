import { chmodSync, chownSync, mkdirSync, statSync } from 'node:fs';

/** Who a command is on the host. */
export interface Identity {
  readonly uid: number;
  readonly gid: number;
}

/** Used where the workspace belongs to root: the limit on processes does not count for real root. */
const NOBODY: Identity = { uid: 65534, gid: 65534 };

/** Below the id to which what nobody may open belongs. */
const HIGHEST_ID = 2 ** 32 - 3;

/**
 * Who a command is. Of a root server: the owner of the workspace, so that what it makes belongs to whom the workspace
 * belongs. root itself is never taken, since the limit on processes does not count for it; nobody stands in.
 */
export function commandIdentity(workspace: string | undefined): Identity {
  const own = process.getuid?.() ?? 0;
  if (own !== 0) return { uid: own, gid: process.getgid?.() ?? own };
  const found = workspace === undefined ? undefined : statSync(workspace, { throwIfNoEntry: false });
  return { uid: ordinary(found?.uid) ?? NOBODY.uid, gid: ordinary(found?.gid) ?? NOBODY.gid };
}

function ordinary(id: number | undefined): number | undefined {
  return id !== undefined && id > 0 && id <= HIGHEST_ID ? id : undefined;
}

/** access() ignores capabilities for everybody but uid 0, so the home must really belong to the command. */
export function prepareHome(home: string, { uid, gid }: Identity): void {
  const found = statSync(home, { throwIfNoEntry: false });
  if (found === undefined) mkdirSync(home, { recursive: true, mode: 0o700 });
  if (process.getuid?.() === 0 && found?.uid !== uid) chownSync(home, uid, gid);
}

/** As everybody's /tmp, but of one session alone. */
export function prepareTmp(tmp: string, { uid, gid }: Identity): void {
  const found = statSync(tmp, { throwIfNoEntry: false });
  if (found === undefined) mkdirSync(tmp, { recursive: true, mode: 0o700 });
  if (found === undefined || (found.mode & 0o7777) !== 0o1777) chmodSync(tmp, 0o1777);
  if (process.getuid?.() === 0 && found?.uid !== uid) chownSync(tmp, uid, gid);
}

/** Node takes them as signed numbers of 32 bits. */
export function spawnIds({ uid, gid }: Identity): Identity {
  return { uid: uid | 0, gid: gid | 0 };
}
