import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from '../state/errno.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** What a hook asks a running server. One line of JSON each way. */
export interface HookQuestion {
  /** What decides about the answer; a server with another one does not answer. */
  readonly identity: string;
  readonly client: string;
  /** What the client wrote on the hook's standard input. */
  readonly input: string;
}

/** With these and the workspace, two processes of a version read the same policy. */
const DECIDING = ['HOME', 'XDG_CONFIG_HOME', 'CASTELLAN_POLICY', 'CASTELLAN_CONFIG', 'CASTELLAN_CEILING'];

/** `workspace` without links. */
export function hookIdentity(workspace: string, environment: Environment, version: string): string {
  return JSON.stringify([version, workspace, ...DECIDING.map((name) => environment[name] ?? null)]);
}

/** Sockets of servers that answer hooks. Servers open one if the folder is there: who uses no hooks has none. */
export function hookFolder(stateFolder: string): string {
  return join(stateFolder, 'hooks');
}

/** Short: the path of a socket has room for about 100 characters. */
export function socketName(identity: string, owner: string): string {
  return `${digest(identity)}.${owner}.sock`;
}

/** The owner in the name of a socket. */
export function ownerOf(name: string): string | undefined {
  return /^[0-9a-f]{8}\.(.+)\.sock$/.exec(name)?.[1];
}

/** Sockets that may belong to servers with this identity; the newest is as good as any. */
export function socketsOf(folder: string, identity: string): readonly string[] {
  const begin = `${digest(identity)}.`;
  try {
    return readdirSync(folder)
      .filter((name) => name.startsWith(begin))
      .map((name) => join(folder, name));
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return [];
  }
}

/** FNV-1a: only to find candidates, the identity itself is compared. The library for better ones costs milliseconds. */
function digest(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}
