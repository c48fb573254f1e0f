import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { context, trace } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { TailAuditHandler } from '../../../src/application/audit/tail-audit.js';
import { AuditLog } from '../../../src/application/ports/audit/audit-log.js';
import { AuditReader } from '../../../src/application/ports/audit/audit-reader.js';
import { Logger } from '../../../src/application/ports/system/logger.js';
import { createCastellan } from '../../../src/composition/server/create-castellan.js';
import { hashOf } from '../../../src/infrastructure/auth/token-file.js';
import { RecordingLogger } from '../../../src/testing/testing.js';
import { eventually } from '../../support/eventually.js';
import { HttpClient } from '../../support/http-client.js';
import { isolatedOptions } from '../../support/isolated-options.js';
import { ModernClient } from '../../support/modern-client.js';

const OWN = isolatedOptions();
const TOKEN = 'a-token-for-tests-only';
const TEAM_KEY = 'the-key-of-another-team';
const POLICY = join(OWN.workspace, 'policy.yaml');
const CONFIG = join(OWN.workspace, 'settings.yaml');
mkdirSync(join(OWN.workspace, 'own'));
writeFileSync(
  POLICY,
  `version: 1
principals:
  - { name: operator, match: { api_key: "${hashOf(TOKEN)}" }, roles: [default] }
  - { name: team, match: { api_key: "${hashOf(TEAM_KEY)}" }, roles: [default], workspace: ./own }
roles: { default: { tools: [echo, read_file] } }
tools: { read_file: { consent: always } }
`,
);
writeFileSync(CONFIG, 'log: { requests: true }\ntelemetry: { traces: true }\n');

const PARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

describe('What operators see of a server', () => {
  const spans = new InMemorySpanExporter();
  const logger = new RecordingLogger();
  let castellan: Awaited<ReturnType<typeof createCastellan>>;
  let adminUrl = '';
  let client: HttpClient;
  let team: HttpClient;
  before(async () => {
    trace.setGlobalTracerProvider(
      new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }),
    );
    castellan = await createCastellan({
      ...OWN,
      environment: { ...OWN.environment, CASTELLAN_TOKEN: TOKEN },
      policy: POLICY,
      config: CONFIG,
      configure: (container) => {
        container.rebind(Logger).toConstantValue(logger);
      },
    });
    const listening = await castellan.listen({ port: 0, admin: { host: '127.0.0.1', port: 0 } });
    adminUrl = listening.adminUrl ?? '';
    client = new HttpClient(listening.url, TOKEN);
    team = new HttpClient(listening.url, TEAM_KEY);
    await client.open();
    await client.call(1, 'echo', { message: 'hi' }, { traceparent: PARENT });
    await client.call(2, 'read_file', { path: 'x' });
    await client.call(3, 'no_tool');
    await team.open();
    await team.call(1, 'echo', { message: 'hi' });
    await new HttpClient(listening.url, 'wrong').post({});
  });
  after(async () => {
    await castellan.close();
    trace.disable();
    context.disable();
  });

  const metrics = async () => (await fetch(`${adminUrl}/metrics`)).text();

  it('counts calls, failures by reason and durations, in all workspaces together', async () => {
    const text = await metrics();
    for (const line of [
      'castellan_calls_total{tool="echo",principal="operator"} 1',
      'castellan_calls_total{tool="echo",principal="team"} 1',
      'castellan_call_failures_total{tool="read_file",kind="consent-required",reason="CONSENT_REQUIRED",principal="operator"} 1',
      'castellan_call_failures_total{tool="unknown",kind="not-found",reason="",principal="operator"} 1',
      'castellan_call_seconds_count{tool="echo"} 2',
      'castellan_call_seconds_bucket{le="+Inf",tool="echo"} 2',
      'castellan_breaker_open{tool="echo"} 0',
      'castellan_http_sessions 2',
      'castellan_workspaces 2',
      'castellan_calls_waiting 0',
      'castellan_sandbox_starts_total 0',
      'castellan_http_refusals_total{status="401"} 1',
    ])
      expect(text.split('\n'), text).to.include(line);
    expect(text).to.match(/^nodejs_eventloop_lag_p99_seconds /m);
  });

  it('passes the rules of promtool, and promtool itself where it is installed', async () => {
    const text = await metrics();
    const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type]) => ({ name, type }));
    expect(types).to.have.length.above(20);
    for (const { name, type } of types) {
      expect(text, `${name} has no help`).to.match(new RegExp(`^# HELP ${name} \\S`, 'm'));
      expect(name.endsWith('_total'), `${name} is a ${type}`).to.equal(type === 'counter');
      expect(name).to.match(/^[a-z][a-z0-9_]*$/);
      expect(name).not.to.match(/_(?:count|sum|bucket|gauge|counter|histogram|summary|info_total)$/);
      expect(name).not.to.match(
        /_(?:milliseconds|ms|minutes|hours|kilobytes|megabytes|kb|mb|percent)(?:_|$)/,
      );
    }
    const { error, status, stderr, stdout } = spawnSync('promtool', ['check', 'metrics'], {
      input: text,
      encoding: 'utf8',
      env: {
        ...process.env,
        PATH: `${process.env.PATH}:${resolve('node_modules/.cache/prometheus/usr/bin')}`,
      },
    });
    if (error === undefined) expect({ status, said: stdout + stderr }).to.deep.equal({ status: 0, said: '' });
  });

  it('has the name of its caller in each audit record', async () => {
    await castellan.container.get(AuditLog).flush();
    const tail = new TailAuditHandler(castellan.container.get(AuditReader));
    const names = async () => {
      const records = await tail.handle({ count: 100 });
      return records.success ? records.value.map(({ principal }) => principal) : [];
    };
    // The server of the other workspace has a log of its own, which it writes a moment later.
    await eventually('the record of the team', async () => (await names()).includes('team'));
    expect([...new Set(await names())].sort()).to.deep.equal(['operator', 'team']);
    const ofTeam = await tail.handle({ count: 100, caller: 'team' });
    expect(ofTeam.success && ofTeam.value.map(({ tool }) => tool)).to.deep.equal(['echo']);
  });

  it('has every metric and label that the dashboard names', async () => {
    const text = await metrics();
    const dashboard = readFileSync('docs/grafana.json', 'utf8');
    const named = new Set(dashboard.match(/\b(?:castellan|nodejs|process)_[a-z0-9_]+/g));
    expect([...named]).to.have.length.above(5);
    // Those of instances on Redis are looked for in tests/e2e/service-instances.test.ts.
    const shared = /^castellan_(?:redis_joined|clock_skew_seconds)$/;
    for (const name of [...named].filter((each) => !shared.test(each)))
      expect(text, name).to.match(new RegExp(`^${name}[{ ]`, 'm'));
    for (const { by = '', name = '' } of [
      ...dashboard.matchAll(/by \((?<by>\w+)\) \((?:rate\()?(?<name>castellan_\w+)/g),
    ].map(({ groups }) => groups ?? {}))
      if (by !== 'instance')
        expect(text, `${name} by ${by}`).to.match(new RegExp(`^${name}\\{[^}]*\\b${by}="`, 'm'));
  });

  it('lists each call with caller and correlation id, and each refused request, without arguments', () => {
    const calls = logger.records.filter(({ message }) => message === 'call');
    expect(calls.map(({ fields }) => [fields?.tool, fields?.outcome])).to.deep.equal([
      ['echo', 'success'],
      ['read_file', 'consent-required'],
      ['unknown', 'not-found'],
      ['echo', 'success'],
    ]);
    const [first] = calls;
    expect(first?.fields?.caller).to.equal(`key-${hashOf(TOKEN).slice(7, 19)}`);
    expect(first?.fields?.correlationId).to.be.a('string');
    expect(first?.fields?.durationMs).to.be.a('number');
    const refused = logger.records.filter(({ message }) => message === 'request refused');
    expect(refused.map(({ fields }) => fields?.status)).to.deep.equal([401]);
  });

  it('makes a span of each request, under the trace that _meta names', async () => {
    const named = () => spans.getFinishedSpans().filter(({ name }) => name === 'tools/call echo');
    await eventually('the spans have ended', () => named().length === 2);
    const [span] = named();
    expect(span?.spanContext().traceId).to.equal(PARENT.slice(3, 35));
    expect(span?.parentSpanContext?.spanId).to.equal(PARENT.slice(36, 52));
    expect(span?.attributes).to.include({
      'mcp.method.name': 'tools/call',
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'echo',
    });
    const failed = spans.getFinishedSpans().find(({ name }) => name === 'tools/call read_file');
    expect(failed?.attributes).to.include({ 'error.type': 'tool_error' });
    const unknown = spans.getFinishedSpans().find(({ name }) => name === 'tools/call no_tool');
    expect(unknown?.attributes).to.include({ 'error.type': '-32602', 'rpc.response.status_code': '-32602' });
  });

  it('takes the trace context from the headers where the message has none, in both revisions', async () => {
    spans.reset();
    const list = (revision: number) => ({ jsonrpc: '2.0', id: revision, method: 'tools/list' });
    await client.post(list(2025), { traceparent: PARENT });
    await new ModernClient(new HttpClient(client.url, TOKEN)).send('tools/list', {}, { traceparent: PARENT });
    await eventually('the spans have ended', () => spans.getFinishedSpans().length === 2);
    for (const span of spans.getFinishedSpans())
      expect(span.spanContext().traceId).to.equal(PARENT.slice(3, 35));
  });
});
