import { expect } from 'chai';
import { describe, it } from 'mocha';
import { ToolVisibility } from '../../../src/application/tool/tool-visibility.js';
import { ENABLE_TOOLSET, type ShownToolsets, Toolsets } from '../../../src/application/tool/toolsets.js';
import { type Caller, LOCAL_EMBEDDED, LOCAL_STDIO } from '../../../src/domain/session/caller.js';
import { Session } from '../../../src/domain/session/session.js';
import type { Toolset } from '../../../src/domain/tool/toolset.js';
import { InMemoryToolRegistry } from '../../../src/infrastructure/tool/in-memory-tool-registry.js';
import { OpenPolicy } from '../../../src/testing/testing.js';
import { mustValue, runnable, toolName } from '../../support/sample-tool.js';

const TOOLS = [
  runnable({ name: 'read_file', category: 'file' }),
  runnable({ name: 'write_file', category: 'file' }),
  runnable({ name: 'execute_command', category: 'system' }),
  runnable({ name: 'claude_conversation', category: 'ai', requires: 'model' }),
  runnable({ name: ENABLE_TOOLSET, category: 'meta' }),
];

function session(caller: Caller = LOCAL_STDIO, sampling = false): Session {
  const made = Session.create('s', caller);
  mustValue(made.initialize({ name: 'test', version: '1', ...(sampling && { sampling }) }));
  return made;
}

function toolsets(...chosen: readonly Toolset[]) {
  return shown({ chosen: new Set(chosen), hasFlags: false });
}

function shown(what: ShownToolsets, missing?: string) {
  const registry = new InMemoryToolRegistry({ prefix: '' });
  for (const tool of TOOLS) mustValue(registry.register(tool));
  const sets = new Toolsets(registry, new OpenPolicy(), what, { missing });
  const seen = (one: Session) =>
    TOOLS.filter(({ tool }) => sets.shownTo(one)(tool))
      .map(({ tool }) => tool.name)
      .join(' ');
  return { sets, seen, registry };
}

describe('Toolsets', () => {
  it('show the sets of the settings, and the tool that adds one as long as there is one', () => {
    const { seen } = toolsets('files', 'meta');
    expect(seen(session())).to.equal(`read_file write_file ${ENABLE_TOOLSET}`);
    const all = toolsets('files', 'meta', 'commands', 'ai');
    expect(all.seen(session())).to.equal('read_file write_file execute_command claude_conversation');
  });

  it('show everything to whoever embeds the server', () =>
    expect(toolsets().seen(session(LOCAL_EMBEDDED))).to.equal(
      'read_file write_file execute_command claude_conversation',
    ));

  it('C30: without a setting show every tool that has what it requires, and nothing to enable', () => {
    const { seen } = shown({ hasFlags: false }, 'a key');
    expect(seen(session())).to.equal('read_file write_file execute_command');
    const all = 'read_file write_file execute_command claude_conversation';
    expect(shown({ hasFlags: false }).seen(session())).to.equal(all);
    expect(seen(session(LOCAL_STDIO, true))).to.equal(all);
  });

  it('C30: narrow by setting alone, whatever a client has to offer', () =>
    expect(toolsets('files').seen(session(LOCAL_STDIO, true))).to.equal(
      `read_file write_file ${ENABLE_TOOLSET}`,
    ));

  it('follow what a session chose, whatever the settings say', () => {
    const chosen = session(LOCAL_STDIO, true);
    chosen.chooseToolsets(['commands']);
    expect(toolsets('files').seen(chosen)).to.equal(`execute_command ${ENABLE_TOOLSET}`);
  });

  it('are added one by one, with what they bring', () => {
    const { sets, seen } = toolsets('files');
    const one = session();
    expect(sets.hidden(one).map(({ set }) => set)).to.deep.equal(['commands', 'ai']);
    expect(mustValue(sets.enable(one, 'commands'))).to.deep.equal({
      set: 'commands',
      purpose: 'run programs',
      tools: ['execute_command'],
    });
    expect(seen(one)).to.equal(`read_file write_file execute_command ${ENABLE_TOOLSET}`);
    expect(sets.hidden(one).map(({ set }) => set)).to.deep.equal(['ai']);
  });

  it('without a tool cannot be added, and the others are named', () => {
    const { sets } = toolsets('files', 'meta', 'commands');
    const one = session();
    const failed = sets.enable(one, 'flags');
    expect(failed.success ? '' : failed.error.message).to.include('There are: ai.');
    mustValue(sets.enable(one, 'ai'));
    const last = sets.enable(one, 'flags');
    expect(last.success ? '' : last.error.message).to.include('None is left to add.');
  });

  it('have no tool that the session hides', () => {
    const { sets } = toolsets('files');
    const one = session();
    one.hideTool(toolName('execute_command'));
    expect(sets.hidden(one).map(({ set }) => set)).to.deep.equal(['ai']);
  });
});

describe('ToolVisibility', () => {
  it('hides and shows a tool by any spelling, for one session', () => {
    const visibility = new ToolVisibility(toolsets().registry);
    const one = session();
    const other = session();
    expect(visibility.hide(one, 'read-file')).to.equal(true);
    expect(one.canSee(toolName('read_file'))).to.equal(false);
    expect(other.canSee(toolName('read_file'))).to.equal(true);
    expect(visibility.show(one, 'read_file')).to.equal(true);
    expect(one.canSee(toolName('read_file'))).to.equal(true);
    expect(visibility.hide(one, 'nothing')).to.equal(false);
    expect(visibility.show(one, 'nothing')).to.equal(false);
  });
});
