import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ToolImplementations } from '../../../../src/application/call/pipeline/tool-implementations.js';
import { AuditLog } from '../../../../src/application/ports/audit/audit-log.js';
import type { Castellan } from '../../../../src/composition/server/castellan.js';
import { createCastellan } from '../../../../src/composition/server/create-castellan.js';
import { readPath } from '../../../../src/domain/permission/policy/permission-request.js';
import { Result } from '../../../../src/domain/result.js';
import { ToolResult } from '../../../../src/domain/tool/tool-result.js';
import { defineTool } from '../../../../src/presentation/tools/define-tool.js';
import { toolArguments } from '../../../../src/presentation/tools/tool-arguments.js';
import { RecordingAuditLog } from '../../../../src/testing/recording-audit-log.js';
import { policyFile } from '../../../support/policy-file.js';
import { definition, mustFail, mustValue, textOf } from '../../../support/sample-tool.js';

const POLICY = `
extends: [builtin:workspace]
tools:
  outer: { limits: { max_input_bytes: 300 } }
  peek: { allowed_paths: [open], limits: { max_input_bytes: 200 } }
  asked: { consent: ask }
  seldom: { rate: { limit: 1/hour } }
  off: { enabled: false }
`;

const outerTool = (inner: string, args: Record<string, unknown>) =>
  defineTool({
    ...definition({ name: 'outer' }),
    input: toolArguments({}),
    needs: { tools: ToolImplementations },
    run: (_args, { tools }, context) => tools.run(inner, args, context),
  });

describe('The functions behind the tools, run by another tool', () => {
  let root: string;
  let castellan: Castellan | undefined;
  let ran: string[];
  let audit: RecordingAuditLog;

  const run = async (inner: string, args: Record<string, unknown> = {}) => {
    const probe = (name: string) =>
      definition({
        name,
        permissions: ({ text }) => (typeof text === 'string' ? [readPath(text, 'text')] : []),
        run: (_args, _needs, { grant }) => {
          ran.push(name);
          const view = ['open/a', 'shut/a'].map((path) => grant.view.canRead(join(root, path)));
          return Result.ok(ToolResult.text(view.join()));
        },
      });
    castellan = await createCastellan({
      workspace: root,
      policy: policyFile(POLICY),
      logLevel: 'silent',
      tools: [outerTool(inner, args), probe('peek'), probe('asked'), probe('off'), probe('seldom')],
      configure: (container) => {
        container.rebind(AuditLog).toConstantValue(audit);
      },
    });
    return castellan.execute('outer');
  };

  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'castellan-inner-')));
    writeFileSync(join(root, '.env'), 'SECRET=1\n');
    ran = [];
    audit = new RecordingAuditLog();
  });
  afterEach(async () => {
    await castellan?.close();
    rmSync(root, { recursive: true, force: true });
  });

  it('get the view that the policy has for them, not that of the tool outside', async () => {
    expect(textOf(mustValue(await run('peek', { text: 'open/a' })))).to.equal('true,false');
  });

  it('are refused what the policy does not allow them', async () => {
    expect(mustFail(await run('peek', { text: 'shut/a' })).error.kind).to.equal('permission-denied');
    expect(ran).to.deep.equal([]);
  });

  it('do not read a secret for a tool that asked for nothing', async () => {
    expect(mustFail(await run('read_file', { path: '.env' })).error.kind).to.equal('permission-denied');
  });

  it('do not run where a person would have to consent', async () => {
    expect(mustFail(await run('asked')).error.kind).to.equal('consent-required');
    expect(ran).to.deep.equal([]);
  });

  it('do not run where the policy has switched the tool off', async () => {
    expect(mustFail(await run('off')).error.kind).to.equal('disabled');
    expect(ran).to.deep.equal([]);
  });

  it('have their arguments checked', async () => {
    expect(mustFail(await run('peek', { text: 1 })).error.kind).to.equal('invalid-input');
    expect(ran).to.deep.equal([]);
  });

  for (const [what, tool, name] of [
    ['their own limit', 'peek', 'text'],
    ['that of the tool outside', 'echo', 'message'],
  ] as const) {
    it(`are refused arguments of more bytes than ${what}`, async () => {
      const failed = mustFail(await run(tool, { [name]: 'x'.repeat(400) }));
      expect(failed.error.kind).to.equal('limit-exceeded');
      expect(failed.error.message).to.contain('max_input_bytes');
      expect(ran).to.deep.equal([]);
    });
  }

  it('are refused more than the policy accepts by default, before they are checked', async () => {
    const failed = mustFail(await run('asked', { unknown: 'x'.repeat(5_000_000) }));
    expect(failed.error.message).to.contain('4194304');
  });

  it('S0-65: are audited and counted as calls of their own, the refused ones too', async () => {
    await run('peek', { text: 'open/a' });
    expect(audit.outcomes.map(({ call, outcome }) => `${call.tool} ${outcome.kind}`)).to.deep.equal([
      'peek success',
      'outer success',
    ]);
    const ids = audit.outcomes.map(({ call }) => call.correlationId);
    expect(new Set(ids).size).to.equal(2);
    await castellan?.close();
    await run('peek', { text: 'shut/a' });
    expect(audit.outcomes.map(({ call, outcome }) => `${call.tool} ${outcome.kind}`)).to.include(
      'peek refused',
    );
  });

  it('are held to the rate of the tool that is run, not to that of the tool outside', async () => {
    expect((await run('seldom')).success).to.equal(true);
    const again = mustFail((await castellan?.execute('outer')) ?? (await run('seldom')));
    expect(again.error.kind).to.equal('unavailable');
    expect(ran).to.deep.equal(['seldom']);
  });
});
