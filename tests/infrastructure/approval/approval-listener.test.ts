import { rmSync, statSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { GivenAnswer, ShownQuestion } from '../../../src/application/operation/operated-server.js';
import { approvalFolder } from '../../../src/infrastructure/approval/approval-door.js';
import { ApprovalListener } from '../../../src/infrastructure/approval/approval-listener.js';
import { AskingServers } from '../../../src/infrastructure/approval/asking-servers.js';
import { ReachableServers } from '../../../src/infrastructure/approval/reachable-servers.js';

const QUESTION: ShownQuestion = {
  id: 'apr_1',
  caller: 'local',
  mode: 'ask',
  ways: ['terminal'],
  tool: 'delete_path',
  effect: 'Deletes',
  arguments: { path: 'a' },
  openedAt: 1,
  expiresAt: 2,
};

describe('ApprovalListener', () => {
  let folder: string;
  let listener: ApprovalListener;
  let servers: AskingServers;
  const answers: GivenAnswer[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'apr-'));
    await mkdir(approvalFolder(folder), { mode: 0o700 });
    answers.length = 0;
    const asking = {
      questions: () => ({ server: { pid: process.pid, workspace: '/w' }, questions: [QUESTION] }),
      answer: (answer: GivenAnswer) => {
        answers.push(answer);
        return 'taken' as const;
      },
      state: () => ({
        server: { pid: process.pid, workspace: '/w' },
        questions: [QUESTION],
        sessions: [{ id: 's', caller: 'local', transport: 'stdio', client: 'c 1' }],
        calls: [{ id: 'call_1', session: 's', tool: 'echo', arguments: {}, startedAt: 1 }],
        processes: [],
      }),
      policy: () => ({ origin: ['p'], hash: 'h', problems: [], warnings: [], roles: [] }),
      stop: (kind: string, id: string) => kind === 'call' && id === 'call_1',
      tryCall: async (tool: string) => ({ effect: 'deny' as const, message: `No ${tool}.`, steps: [] }),
    };
    listener = new ApprovalListener(folder, asking, { opens: (key) => key === 'right' });
    servers = new AskingServers(folder);
    await listener.listen();
  });
  afterEach(() => {
    listener.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const socket = () => servers.sockets()[0] ?? '';

  it('shows what is asked, through a socket of mode 0600', async () => {
    expect(statSync(socket()).mode & 0o777).to.equal(0o600);
    const [question] = await servers.questions();
    expect(question).to.deep.equal({ ...QUESTION, workspace: '/w', socket: socket() });
  });

  it('takes an answer with the key, and none without', async () => {
    const answer: GivenAnswer = { id: 'apr_1', way: 'terminal', accept: true };
    expect(await servers.answer(socket(), 'wrong', answer)).to.equal('wrong-key');
    expect(answers).to.have.length(0);
    expect(await servers.answer(socket(), 'right', { ...answer, reason: 'r'.repeat(600) })).to.equal('taken');
    expect(answers).to.deep.equal([{ ...answer, reason: 'r'.repeat(500) }]);
  });

  it('tells everything else only to whoever has the key', async () => {
    const [name = ''] = [...(await new ReachableServers(servers, 'right').states()).keys()];
    for (const key of ['right', 'wrong']) {
      const reached = new ReachableServers(servers, key);
      const [state] = [...(await reached.states()).values()];
      expect(state?.calls.map(({ id }) => id)).to.deep.equal(key === 'right' ? ['call_1'] : undefined);
      expect(await reached.stop(name, 'call', 'call_1')).to.equal(key === 'right');
      expect((await reached.policy(name))?.hash).to.equal(key === 'right' ? 'h' : undefined);
      expect((await reached.tryCall(name, 'echo', {}))?.message).to.equal(
        key === 'right' ? 'No echo.' : undefined,
      );
    }
    expect(await new ReachableServers(servers, 'right').stop('../x', 'call', 'call_1')).to.equal(false);
  });

  it('hangs up on what it does not understand, and on what has no end', async () => {
    const lines = ['{}', 'x', '{"op":"answer","key":"right","id":"apr_1","way":"client","accept":true}'];
    for (const text of [...lines.map((line) => `${line}\n`), 'x'.repeat(100_000)]) {
      const said = await new Promise<string>((resolve) => {
        let heard = '';
        const connection = createConnection(socket(), () => connection.write(text));
        connection.on('data', (part: Buffer) => {
          heard += part.toString();
        });
        connection.on('error', () => connection.destroy());
        connection.on('close', () => resolve(heard));
      });
      expect(said).to.equal('');
    }
    expect(answers).to.have.length(0);
  });

  it('is gone with its server, and what a killed one left is no server', async () => {
    const path = socket();
    writeFileSync(join(approvalFolder(folder), '999999999-1.00000000.sock'), '');
    expect(servers.sockets()).to.deep.equal([path]);
    listener.close();
    expect(servers.sockets()).to.deep.equal([]);
    expect(await servers.answer(path, 'right', { id: 'apr_1', way: 'terminal', accept: true })).to.equal(
      'gone',
    );
  });
});
