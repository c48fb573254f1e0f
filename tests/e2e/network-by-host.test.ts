import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { CommandClient } from '../support/command-client.js';
import { eventually } from '../support/eventually.js';
import { HonestProject } from '../support/honest-project.js';
import { portOf } from '../support/host-network.js';
import { paste } from '../support/paste-hint.js';
import { problemsOf } from '../support/policy-bench.js';

/** None of these hosts is ever looked up: they are refused before. */
const REFUSED = 'packages.example';

describe('A policy with network: hosts, end to end', function () {
  this.timeout(60_000);
  let project: HonestProject;
  let client: CommandClient;
  let service: Server;
  let port: number;
  let policy: string;

  before(async () => {
    service = createServer((_request, response) => void response.end('from this machine\n'));
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
    port = portOf(service);
    policy = `
extends: [builtin:workspace]
tools:
  execute_command:
    network: hosts
    allowed_hosts: [registry.example]
    loopback: [${port}]
`;
    project = new HonestProject();
    client = await CommandClient.start(project, project.policy(policy));
  });

  after(async () => {
    await client?.stop();
    project?.remove();
    await new Promise((resolve) => service.close(resolve));
  });

  it('reaches the listed port of this machine by every name of the loopback, and no other port', async () => {
    const asked = ['127.0.0.1', 'localhost', '[::1]'].map((host) => `curl -sS http://${host}:${port}/`);
    const reply = await client.run(asked.join(' && '));
    expect(reply.value?.stdout).to.equal('from this machine\n'.repeat(3));
    const other = await client.run(`curl -sS http://127.0.0.1:${port === 9 ? 10 : 9}/`);
    expect(other.value?.exit_code).to.equal(7);
  });

  it('says which host was refused, with the line that allows it, also where the program says little', async () => {
    for (const line of [
      `curl -s https://${REFUSED}/a`,
      `node -e 'fetch("https://${REFUSED}/").catch(() => process.exit(0))'`,
      `getent hosts ${REFUSED} || true`,
    ]) {
      const reply = await client.run(line);
      const { instruction = '' } = reply;
      expect(instruction, line).to.include(
        `Refused by the policy: ${REFUSED} (no rule of allowed_hosts has it)`,
      );
      expect(instruction, line).to.include(`- { tool: execute_command, host: ${REFUSED} }`);
      expect(await problemsOf(paste(policy, instruction)), line).to.deep.equal([]);
    }
  });

  it('says it for a process in the background when its end is told', async () => {
    const started = await client.run({
      command: `sleep 0.2; curl -s https://${REFUSED}/; sleep 0.2`,
      background: true,
    });
    const { process_id: id } = JSON.parse(JSON.stringify(started.value));
    const ended = await client.call('process_output', { process_id: id, wait: 20, wait_for: 'exit' });
    expect(ended.instruction).to.include(`- { tool: execute_command, host: ${REFUSED} }`);
  });

  it('answers a command that was refused nothing without a word about hosts', async () => {
    const reply = await client.run('echo fine');
    expect(reply.instruction ?? '').not.to.include('Refused by the policy');
  });

  it('records every connection and every refusal', async () => {
    await eventually('the log has them', () => auditOf(project.state).filter(isRefused).length >= 4);
    const records = auditOf(project.state).filter(({ kind }) => kind === 'connection');
    const told = records.map(({ connection: { host, port: at, outcome } }) => `${host} ${at} ${outcome}`);
    expect(told.filter((one) => one === `localhost ${port} reached`)).to.have.length(3);
    expect(told.filter((one) => one === `${REFUSED} undefined refused`).length).to.be.at.least(4);
    const [reached] = records.filter(({ connection }) => connection.outcome === 'reached');
    expect(reached?.connection.sent).to.be.greaterThan(0);
    expect(reached?.connection.received).to.be.greaterThan(0);
    expect(reached).to.include({ tool: 'execute_command', transport: 'stdio' });
    // While the command that warms up a session still runs, a connection may count as its own.
    const calls = auditOf(project.state).filter(({ kind }) => kind === 'outcome');
    const known = new Set(calls.map(({ correlation }) => correlation));
    expect(records.some(({ correlation }) => known.has(correlation))).to.equal(true);
  });

  it('tells the model what is reached', async () => {
    const { result } = await client.server.request(900, 'tools/list');
    expect(JSON.stringify(result)).to.include('Programs reach the hosts that the policy lists');
  });
});

const isRefused = ({ kind, connection }: AuditLineRead): boolean =>
  kind === 'connection' && connection.outcome === 'refused';

interface AuditLineRead {
  readonly kind: string;
  readonly correlation?: string;
  readonly tool?: string;
  readonly transport?: string;
  readonly connection: {
    readonly host: string;
    readonly port?: number;
    readonly outcome: string;
    readonly sent: number;
    readonly received: number;
  };
}

function auditOf(state: string): readonly AuditLineRead[] {
  const folder = join(state, 'castellan', 'audit');
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  return files.flatMap((name) =>
    readFileSync(join(folder, name), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  );
}
