import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { isJsonObject } from '../../src/domain/json-value.js';
import { eventually } from '../support/eventually.js';
import { eventsOf, type HttpClient, messagesOf } from '../support/http-client.js';
import { Service } from '../support/service.js';
import type { WireMessage } from '../support/wire.js';

const POLICY = `extends: [builtin:workspace]
tools:
  echo: { consent: { mode: ask, remember: 15m } }
  write_file: { allowed_paths: ["**"], rate: { limit: 100000/min } }
  read_file: { allowed_paths: ["**"], rate: { limit: 100000/min } }
`;

function answerValue([message]: readonly WireMessage[]): Readonly<Record<string, unknown>> {
  const result = message?.result;
  const envelope = isJsonObject(result) ? result.structuredContent : undefined;
  const value = isJsonObject(envelope) ? envelope.value : undefined;
  if (!isJsonObject(value)) throw new Error(`no value: ${JSON.stringify(message)}`);
  return value;
}

describe('three built instances behind a proxy', () => {
  let service: Service;
  let client: HttpClient;

  before(async function () {
    this.timeout(120_000);
    service = await Service.start({ policy: POLICY });
    client = service.client();
    await client.open(undefined, { elicitation: {} });
  });
  after(() => service?.stop());

  it('tells an operator at each instance who serves', async () => {
    for (const { admin } of service.instances) {
      await eventually('it has heard of all', async () => {
        const ready = await fetch(`${admin}/readyz`);
        return ready.status === 200 && (await ready.text()).split(' ms').length === 4;
      });
      const metrics = await (await fetch(`${admin}/metrics`)).text();
      for (const line of [
        /^castellan_redis_joined 1$/m,
        /^castellan_instances 3$/m,
        /^castellan_clock_skew_seconds \S/m,
      ])
        expect(metrics).to.match(line);
    }
  });

  it('reads at one instance what another has written', async () => {
    for (let n = 0; n < 6; n += 1) {
      await client.call(n, 'write_file', { path: 'shared.txt', content: `v${n}` });
      const read = await client.call(100 + n, 'read_file', { path: 'shared.txt' });
      expect(JSON.stringify(read)).to.contain(`v${n}`);
    }
  });

  it('loses no line that instances append to one file at once, and keeps one audit log that can be verified', async () => {
    const lines = Array.from({ length: 30 }, (_, n) => `line ${n}`);
    await client.call(130, 'write_file', { path: 'lines.txt', content: '' });
    await Promise.all(
      lines.map((line, n) =>
        client.call(131 + n, 'write_file', { path: 'lines.txt', content: `${line}\n`, mode: 'append' }),
      ),
    );
    const written = readFileSync(join(service.workspace, 'lines.txt'), 'utf8');
    expect(written.trimEnd().split('\n')).to.have.members(lines);
    const audit = (...args: readonly string[]) =>
      execFileSync(process.execPath, ['dist/main.js', 'audit', ...args, '--workspace', service.workspace], {
        env: { PATH: process.env.PATH, HOME: service.folder },
        encoding: 'utf8',
      });
    // Records reach the disk a moment after the answer.
    await eventually('every instance is in the log', () => {
      const records = audit('tail', '-n', '200', '--json');
      return new Set(records.match(/"instance":"[^"]+"/g)).size === 3;
    });
    expect(audit('verify')).to.contain('The audit log is sound.');
  });

  it('reaches a background process from every instance', async () => {
    const started = await client.call(200, 'execute_command', {
      command: 'echo begun; sleep 300',
      background: true,
    });
    const { process_id: id } = answerValue(started);
    for (let n = 0; n < 3; n += 1) {
      const output = answerValue(await client.call(210 + n, 'process_output', { process_id: id, wait: 5 }));
      expect(output).to.include({ state: 'running' });
    }
    expect(JSON.stringify(await client.call(220, 'list_processes'))).to.contain(String(id));
    await client.call(221, 'stop_process', { process_id: id });
    const ended = answerValue(await client.call(222, 'process_output', { process_id: id }));
    expect(ended.state).to.equal('stopped');
  });

  it('remembers at every instance what a person said at one', async () => {
    let text = '';
    const call = (id: number) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'echo', arguments: { message: 'same' } },
    });
    const stream = await client.listen((part) => (text += part), {}, call(300));
    await eventually('the question', () => text.includes('elicitation/create'));
    const question = eventsOf(text).find(({ message }) => message?.method === 'elicitation/create');
    await client.post({
      jsonrpc: '2.0',
      id: question?.message?.id,
      result: { action: 'accept', content: { remember: true } },
    });
    await stream.over;
    for (let n = 1; n <= 3; n += 1) {
      const answer = await client.post(call(300 + n));
      expect(messagesOf(answer).map(({ method }) => method)).to.deep.equal([undefined]);
      expect(answer.text).to.contain('same');
    }
  });

  it('goes on elsewhere when the owner of a session is killed, and says what became of its processes', async () => {
    const started = await client.call(400, 'execute_command', { command: 'sleep 300', background: true });
    const { process_id: id } = answerValue(started);
    const audit = () => readFileSync(join(service.folder, '.local/state/castellan/audit.key'));
    expect(audit().length).to.be.above(0);
    // Whoever runs the command has a child; the owner opened the session.
    const [owner] = service.instances;
    if (owner === undefined) throw new Error('no instance');
    const holders = service.instances.filter(({ process }) => hasChildren(process.pid ?? 0));
    expect(holders).to.have.length(1);
    await service.kill(holders[0] ?? owner);
    const output = answerValue(await client.call(401, 'process_output', { process_id: id }));
    expect(output.state).to.equal('failed');
    const again = await client.call(402, 'execute_command', { command: 'echo on' });
    expect(JSON.stringify(again)).to.contain('on');
    const read = await client.call(403, 'read_file', { path: 'shared.txt' });
    expect(JSON.stringify(read)).to.contain('v5');
  });
});

function hasChildren(pid: number): boolean {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim() !== '';
}
