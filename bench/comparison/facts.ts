import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Call, ComparedServer } from './compared-servers.js';
import { type ComparisonGround, MARKS } from './comparison-ground.js';

/** A server that runs, and the ground it was started on. */
export interface Trial {
  readonly server: ComparedServer;
  readonly ground: ComparisonGround;
  /** The text of the answer, or of the error. */
  readonly ask: (call: Call) => Promise<string>;
}

export interface Fact {
  readonly title: string;
  /** undefined where the server has no tool for it. */
  readonly holds: (trial: Trial) => Promise<boolean | undefined>;
}

function reads(title: string, path: (ground: ComparisonGround) => string, mark: string): Fact {
  return {
    title,
    holds: async ({ server, ground, ask }) => (await ask(server.read(path(ground)))).includes(mark),
  };
}

function runs(
  title: string,
  command: (ground: ComparisonGround) => string | Promise<string>,
  seen: (answer: string, ground: ComparisonGround) => boolean,
): Fact {
  return {
    title,
    holds: async ({ server, ground, ask }) =>
      server.run === undefined ? undefined : seen(await ask(server.run(await command(ground))), ground),
  };
}

/** Each is tried on a ground and a server of its own. */
export const FACTS: readonly Fact[] = [
  reads('a file outside of the folder is read', ({ outside }) => join(outside, 'notes.txt'), MARKS.outside),
  reads(
    'the same through a symbolic link in the folder',
    ({ project }) => join(project, 'link', 'notes.txt'),
    MARKS.outside,
  ),
  {
    title: 'a file is written through such a link',
    holds: async ({ server, ground: { project, outside }, ask }) => {
      await ask(server.write(join(project, 'link', 'made.txt'), 'x'));
      return existsSync(join(outside, 'made.txt'));
    },
  },
  reads('`.env` in the folder is read', ({ project }) => join(project, '.env'), MARKS.secret),
  runs(
    'a command in the folder runs',
    () => 'cat README.md',
    (answer) => answer.includes('# Project'),
  ),
  runs(
    '`true; cat …` reads a file outside of the folder',
    ({ outside }) => `true; cat ${join(outside, 'notes.txt')}`,
    (answer) => answer.includes(MARKS.outside),
  ),
  runs(
    '`true; touch …` writes one there',
    ({ outside }) => `true; touch ${join(outside, 'made.txt')}`,
    (_answer, { outside }) => existsSync(join(outside, 'made.txt')),
  ),
  runs(
    'a command reads `.env`',
    () => 'cat .env',
    (answer) => answer.includes(MARKS.secret),
  ),
  runs(
    'a command reads `~/.ssh/id_ed25519`',
    ({ home }) => `cat ${join(home, '.ssh', 'id_ed25519')}`,
    (answer) => answer.includes(MARKS.key),
  ),
  runs(
    'a command reaches the network',
    async (ground) => `bash -c 'exec 3<>/dev/tcp/127.0.0.1/${await ground.listen()}'`,
    (_answer, { connections }) => connections > 0,
  ),
  {
    title: 'a model widens its own limits by a tool',
    holds: async ({ server, ground, ask }) => {
      if (server.widen === undefined) return false;
      await ask(server.widen(ground));
      return (await ask(server.read(join(ground.outside, 'notes.txt')))).includes(MARKS.outside);
    },
  },
];
