import { expect } from 'chai';
import { describe, it } from 'mocha';
import { ResolveTool } from '../../../../src/application/call/pipeline/resolve-tool.js';
import type { SessionStore } from '../../../../src/application/ports/session/session-store.js';
import type { ToolRegistry } from '../../../../src/application/ports/tool/tool-registry.js';
import { LOCAL_EMBEDDED } from '../../../../src/domain/session/caller.js';
import { Session } from '../../../../src/domain/session/session.js';
import { InMemorySessionStore } from '../../../../src/infrastructure/session/in-memory-session-store.js';
import { InMemoryToolRegistry } from '../../../../src/infrastructure/tool/in-memory-tool-registry.js';
import { OpenPolicy } from '../../../../src/testing/testing.js';
import { policyOf } from '../../../support/policy-bench.js';
import { mustFail, mustValue, runnable, toolName } from '../../../support/sample-tool.js';

const { policy } = new OpenPolicy().current();

function finder(sessions: SessionStore, registry: ToolRegistry) {
  const handler = new ResolveTool(registry);
  return {
    find: (id: string, name: string) => {
      const session = handler.ready(sessions.get(id));
      return session.success ? handler.find(session.value, name, policy) : session;
    },
  };
}

function setUp() {
  const sessions = new InMemorySessionStore();
  const registry = new InMemoryToolRegistry({ prefix: '' });
  const session = Session.create('s', LOCAL_EMBEDDED);
  session.initialize({ name: 'c', version: '1' });
  sessions.add(session);
  const echo = runnable({ name: 'echo' });
  registry.register(echo);
  return { sessions, registry, session, echo, find: finder(sessions, registry) };
}

describe('ResolveTool', () => {
  it('S4-20: finds a tool of the session', () => {
    const { find, echo } = setUp();
    expect(mustValue(find.find('s', 'echo')).runnable).to.equal(echo);
  });

  it('S4-21: a session must be there, initialized and open', () => {
    const { find, sessions, session } = setUp();
    expect(mustFail(find.find('other', 'echo')).error).to.include({ kind: 'unavailable' });
    sessions.add(Session.create('new', LOCAL_EMBEDDED));
    expect(mustFail(find.find('new', 'echo')).error.message).to.contain('initialize');
    session.close();
    expect(mustFail(find.find('s', 'echo')).error.message).to.contain('closed');
  });

  it('answers for a hidden tool exactly as for one that does not exist', () => {
    const { find, session } = setUp();
    session.hideTool(toolName('echo'));
    const hidden = mustFail(find.find('s', 'echo')).toEnvelope();
    const { find: without, registry } = setUp();
    registry.unregister('echo');
    expect(hidden).to.deep.equal(mustFail(without.find('s', 'echo')).toEnvelope());
    session.showTool(toolName('echo'));
    expect(find.find('s', 'echo').success).to.equal(true);
  });

  it('S4-18: an unknown name comes before a disabled tool', () => {
    const { find, echo } = setUp();
    echo.tool.disable();
    expect(mustFail(find.find('s', 'echo')).error.kind).to.equal('disabled');
    expect(mustFail(find.find('s', 'nothing')).error.kind).to.equal('not-found');
  });

  it('suggests near names, of enabled and visible tools only', () => {
    const { find, session, echo } = setUp();
    expect(mustFail(find.find('s', 'ecko')).error).to.deep.include({ suggestions: ['echo'] });
    session.hideTool(toolName('echo'));
    expect(mustFail(find.find('s', 'ecko')).error).to.deep.include({ suggestions: [] });
    session.showTool(toolName('echo'));
    echo.tool.disable();
    expect(mustFail(find.find('s', 'ecko')).error).to.deep.include({ suggestions: [] });
  });

  it('answers for a tool of another role exactly as for one that does not exist, suggestions included', async () => {
    const yaml = 'tools:\n  echo: {}\n  system_info: {}\nroles:\n  default: { tools: [system_info] }\n';
    const narrow = await policyOf(yaml);
    const { registry, session } = setUp();
    const other = new ResolveTool(registry);
    const denied = mustFail(other.find(session, 'echo', narrow)).toEnvelope();
    const unknown = mustFail(other.find(session, 'ecko', narrow)).toEnvelope();
    expect(denied).to.deep.equal(JSON.parse(JSON.stringify(unknown).replaceAll('ecko', 'echo')));
    expect(denied.error).not.to.contain('Did you mean');
  });

  it('repeats at most 100 characters of a name that is not there', () => {
    const { find } = setUp();
    expect(mustFail(find.find('s', 'x'.repeat(100_000))).error.message.length).to.be.below(200);
  });

  for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty', '', '___', '\u0000']) {
    it(`knows no tool called ${JSON.stringify(name)}`, () => {
      expect(mustFail(setUp().find.find('s', name)).error.kind).to.equal('not-found');
    });
  }
});
