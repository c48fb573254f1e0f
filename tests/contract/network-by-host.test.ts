import { expect } from 'chai';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import type { BubblewrapSandbox } from '../../src/infrastructure/command/sandbox/bubblewrap-sandbox.js';
import {
  FakeInternet,
  hostTerms,
  type RecordedNetwork,
  recordedNetwork,
  TestAuthority,
} from '../support/host-network.js';
import { outcomeOf, requireSandbox, SandboxGround } from '../support/sandbox-jobs.js';

describe('Commands with network: hosts (bubblewrap)', () => {
  let authority: TestAuthority;
  let ground: SandboxGround;
  let sandbox: BubblewrapSandbox;
  let internet: FakeInternet;

  before(() => {
    authority = new TestAuthority();
  });
  after(() => authority.remove());

  beforeEach(async () => {
    ground = new SandboxGround();
    internet = new FakeInternet();
    sandbox = ground.bubblewrap({ outside: internet });
    await requireSandbox(sandbox);
    await internet.http('plain.example');
    await internet.https('safe.example', authority);
    await internet.http('other.example');
    await internet.https('secret.example', authority);
  });

  afterEach(async () => {
    await sandbox.close();
    await internet.close();
    ground.remove();
  });

  for (const session of [undefined, 'one'])
    describe(session === undefined ? 'without a session' : 'in a session', () => {
      const run = (text: string, network: RecordedNetwork) => {
        const job = ground.shell(text, { network });
        return outcomeOf(sandbox, session === undefined ? job : { ...job, session });
      };

      it('reach the hosts that are listed, and no other, without a variable', async () => {
        const network = recordedNetwork(hostTerms(['plain.example', 'safe.example']));
        const outcome = await run(
          `printf '%s' '${authority.text}' > ca.pem
          curl -sS http://plain.example/a
          curl -sS --cacert ca.pem https://safe.example/b
          curl -sS http://other.example/c; echo $?
          curl -sS --cacert ca.pem https://secret.example/d; echo $?`,
          network,
        );
        expect(outcome.stdout).to.equal('plain.example/a\nsafe.example/b\n6\n6\n');
        expect(outcome.stderr).to.include('Could not resolve host: other.example');
        const seen = network.connections.map(({ host, port, outcome: end }) => `${host} ${port} ${end}`);
        expect(seen.sort()).to.deep.equal([
          'other.example undefined refused',
          'plain.example 80 reached',
          'safe.example 443 reached',
          'secret.example undefined refused',
        ]);
      });
    });
});
