import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { describe, it } from 'mocha';
import {
  EACH_ONCE,
  HOSTILE_WORKSPACES,
  HostileGround,
  type HostileWorkspace,
  SECRET,
} from '../support/hostile-workspaces.js';
import { MAIN, SpawnedServer, type WireMessage } from '../support/spawned-server.js';

const LONG = process.env.CASTELLAN_LONG === '1';
const AT_ONCE = 3;
/** The program itself is three megabytes of it. A hostile file adds no more than the reader of its kind takes. */
const MAX_READS = 5000;
const MAX_BYTES = 24 * 1024 * 1024;

const CALLS: readonly (readonly [string, object])[] = [
  ['get_project_flag', { flag: 'a' }],
  ['set_project_flag', { flag: 'a', value: true }],
  ['get_content', { expression: 'docs' }],
  ['search_architecture', { query: 'hello' }],
  ['validate_against_pattern', { code: 'x', pattern_name: 'p' }],
  ['search_files', { pattern: '*' }],
  ['search_content', { query: 'hello' }],
  ['execute_command', { command: 'true' }],
  ['read_file', { path: 'a.txt' }],
];

describe('a workspace that somebody else made', function () {
  this.timeout(LONG ? 600_000 : 120_000);

  const chosen = LONG ? HOSTILE_WORKSPACES : EACH_ONCE;
  const ended: Promise<Outcome>[] = [];
  const started = (index: number): Promise<Outcome> => {
    const known = ended[index];
    if (known !== undefined) return known;
    const workspace = chosen[index];
    if (workspace === undefined) throw new Error('There is no such workspace.');
    // A few at a time: the one that this test waits for, and those behind it.
    const turn = index < AT_ONCE ? Promise.resolve() : started(index - AT_ONCE).catch(() => undefined);
    const outcome = turn.then(() => serve(workspace));
    outcome.catch(() => undefined);
    ended[index] = outcome;
    return outcome;
  };

  it('is tried in at least a hundred ways', () => {
    expect(HOSTILE_WORKSPACES.length).to.be.at.least(100);
  });

  for (const [index, { title }] of chosen.entries()) {
    it(`${title}: the server starts or refuses, serves other calls and ends`, async () => {
      for (let ahead = 0; ahead < AT_ONCE && index + ahead < chosen.length; ahead += 1)
        void started(index + ahead);
      const { exit, file, said, reads, bytes } = await started(index);
      expect(exit).to.deep.equal({ code: 0, signal: null });
      expect(file).to.equal('hello\n');
      expect(said).not.to.include(SECRET);
      expect(reads).to.be.below(MAX_READS);
      expect(bytes).to.be.below(MAX_BYTES);
    });
  }
});

interface Outcome {
  readonly exit: unknown;
  /** What read_file answered. */
  readonly file: unknown;
  /** Everything that came out. */
  readonly said: string;
  readonly reads: number;
  readonly bytes: number;
}

async function serve(workspace: HostileWorkspace): Promise<Outcome> {
  const ground = new HostileGround(workspace);
  const { uid, args, env } = ground;
  const server = new SpawnedServer(MAIN, env, {
    args,
    cwd: ground.workspace,
    ...(uid !== undefined && { uid }),
  });
  try {
    await server.initialize();
    await server.request('prompts', 'prompts/list');
    let last: WireMessage | undefined;
    for (const [index, [name, call]] of CALLS.entries()) last = await server.callTool(index, name, call);
    const [reads, bytes] = [readsOf(server.pid, 'syscr'), readsOf(server.pid, 'rchar')];
    const exit = await server.end();
    const said = server.stderr + JSON.stringify(server.messages);
    return { exit, file: textOf(last), said, reads, bytes };
  } finally {
    await server.kill();
    ground.remove();
  }
}

/** Of the server's own threads: what a search reads until it is ended for taking long is its child's. */
function readsOf(pid: number | undefined, name: 'syscr' | 'rchar'): number {
  const counts = readdirSync(`/proc/${pid}/task`).map((thread) => {
    const io = readFileSync(`/proc/${pid}/task/${thread}/io`, 'utf8');
    return Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(io)?.[1]);
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

function textOf(answer: WireMessage | undefined): unknown {
  const content: unknown = answer?.result?.content;
  const [first] = Array.isArray(content) ? content : [];
  return first?.text;
}
