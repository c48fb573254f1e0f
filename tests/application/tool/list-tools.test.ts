import { expect } from 'chai';
import { describe, it } from 'mocha';
import { LOCAL_EMBEDDED } from '../../../src/domain/session/caller.js';
import { Session } from '../../../src/domain/session/session.js';
import { Pipeline } from '../../support/pipeline.js';
import { mustFail, mustValue, runnable, toolName } from '../../support/sample-tool.js';

const MANY = Array.from({ length: 250 }, (_, n) => runnable({ name: `t${String(n).padStart(3, '0')}` }));

function namesIn(pipeline: Pipeline, query: { category?: string; cursor?: string } = {}): readonly string[] {
  return mustValue(pipeline.list.handle({ sessionId: 's', ...query })).tools.map(({ name }) => name);
}

describe('ListToolsHandler', () => {
  it('S4-19: lists in MCP format', () => {
    const tool = runnable({ name: 'echo' });
    const page = mustValue(new Pipeline([tool]).list.handle({ sessionId: 's' }));
    expect(page).to.deep.equal({ tools: [tool.tool.toMcpFormat()] });
  });

  it('S4-17, S4-19: filters by category', () => {
    const pipeline = new Pipeline([
      runnable({ name: 'read_file', category: 'file' }),
      runnable({ name: 'echo', category: 'utility' }),
    ]);
    expect(namesIn(pipeline, { category: 'file' })).to.deep.equal(['read_file']);
    expect(namesIn(pipeline, { category: 'none' })).to.deep.equal([]);
  });

  it('S3-09: is sorted by name, however tools were registered', () => {
    const names = ['gamma', 'alpha', 'beta_two', 'beta'];
    expect(namesIn(new Pipeline(names.map((name) => runnable({ name }))))).to.deep.equal([
      'alpha',
      'beta',
      'beta_two',
      'gamma',
    ]);
  });

  it('S4-17: comes in pages, each tool once, by an opaque cursor', () => {
    const pipeline = new Pipeline([...MANY].reverse());
    const seen: string[] = [];
    let cursor: string | undefined;
    let pages = 0;
    do {
      const page = mustValue(
        pipeline.list.handle({ sessionId: 's', ...(cursor !== undefined && { cursor }) }),
      );
      seen.push(...page.tools.map(({ name }) => name));
      cursor = page.nextCursor;
      pages += 1;
    } while (cursor !== undefined);
    expect(pages).to.equal(3);
    expect(seen).to.deep.equal(MANY.map(({ tool }) => tool.name));
  });

  it('goes on after the last tool even when tools went away in between', () => {
    const pipeline = new Pipeline(MANY);
    const { nextCursor = '' } = mustValue(pipeline.list.handle({ sessionId: 's' }));
    for (const name of ['t050', 't099', 't100']) pipeline.registry.unregister(name);
    expect(namesIn(pipeline, { cursor: nextCursor })[0]).to.equal('t101');
  });

  it('S4-20: leaves out what is disabled or hidden from the session', () => {
    const [a, b, c] = [runnable({ name: 'a' }), runnable({ name: 'b' }), runnable({ name: 'c' })];
    const pipeline = new Pipeline([a, b, c]);
    a.tool.disable();
    pipeline.session.hideTool(toolName('b'));
    expect(namesIn(pipeline)).to.deep.equal(['c']);
  });

  it('S0-27, S1-01: shows the decorated name', () => {
    const tools = [runnable({ name: 'echo' }), runnable({ name: 'plain', prefix: '' })];
    expect(namesIn(new Pipeline(tools, {}, 'guide'))).to.deep.equal(['guide_echo', 'plain']);
  });

  it('refuses a cursor that is none, and a session that is not ready', () => {
    const pipeline = new Pipeline([]);
    expect(mustFail(pipeline.list.handle({ sessionId: 's', cursor: 'x' })).errorType).to.equal(
      'InvalidCursor',
    );
    expect(mustFail(pipeline.list.handle({ sessionId: '?' })).errorType).to.equal('SessionNotReady');
    pipeline.sessions.add(Session.create('new', LOCAL_EMBEDDED));
    expect(mustFail(pipeline.list.handle({ sessionId: 'new' })).errorType).to.equal('SessionNotReady');
  });
});
