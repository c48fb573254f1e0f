import { expect } from 'chai';
import { describe, it } from 'mocha';
import { CallScope } from '../../../src/application/call/call-scope.js';
import { Cancellation } from '../../../src/application/call/cancellation.js';
import { type CallChannel, SILENT_CHANNEL } from '../../../src/application/call/tool-context.js';
import { LOCAL_EMBEDDED } from '../../../src/domain/session/caller.js';
import { Session } from '../../../src/domain/session/session.js';

describe('CallScope', () => {
  it('hands everything to its channel, and asks under the signal of the call', async () => {
    const heard: unknown[] = [];
    const channel: CallChannel = {
      log: (...args) => heard.push(['log', ...args]),
      progress: (...args) => heard.push(['progress', ...args]),
      closeStream: () => undefined,
      elicit: async (request, signal) => {
        heard.push(['elicit', request, signal]);
        return { action: 'decline' };
      },
      sample: async (request, signal) => {
        heard.push(['sample', request, signal]);
        return { action: 'answer', text: 't', model: 'm' };
      },
      roots: async (request, signal) => {
        heard.push(['roots', request, signal]);
        return { action: 'answer', roots: [] };
      },
    };
    const session = Session.create('s', LOCAL_EMBEDDED);
    const scope = new CallScope(session, 'c', { a: 1 }, new Cancellation(), channel);
    const question = { message: 'Sure?', fields: {} };
    const prompt = { messages: [], maxTokens: 1 };
    scope.log('info', 'x');
    scope.progress(1, 2, 'half');
    expect(await scope.elicit(question)).to.deep.equal({ action: 'decline' });
    expect(await scope.sample(prompt)).to.deep.equal({ action: 'answer', text: 't', model: 'm' });
    expect(await scope.roots({})).to.deep.equal({ action: 'answer', roots: [] });
    expect(heard).to.deep.equal([
      ['log', 'info', 'x'],
      ['progress', 1, 2, 'half'],
      ['elicit', question, scope.signal],
      ['sample', prompt, scope.signal],
      ['roots', {}, scope.signal],
    ]);
    expect(scope.caller).to.equal(LOCAL_EMBEDDED);
    expect(scope.meta).to.deep.equal({ a: 1 });
  });

  it('says that nobody is there when the call has no client', async () => {
    SILENT_CHANNEL.log('info', 'x');
    SILENT_CHANNEL.progress(1);
    expect(await SILENT_CHANNEL.elicit({ message: '', fields: {} })).to.have.property(
      'action',
      'unavailable',
    );
    expect(await SILENT_CHANNEL.sample({ messages: [], maxTokens: 1 })).to.have.property(
      'action',
      'unavailable',
    );
  });
});
