import { expect } from 'chai';
import { describe, it } from 'mocha';
import { LOCAL_STDIO } from '../../../src/domain/session/caller.js';
import { Session } from '../../../src/domain/session/session.js';
import { mustFail, mustValue, toolName } from '../../support/sample-tool.js';

const CLIENT = { name: 'tester', version: '1.0.0' };

describe('Session', () => {
  it('S4-21: is created with an id and a caller, and is of no use before initialize', () => {
    const session = Session.create('s-1', LOCAL_STDIO);
    expect(session.id).to.equal('s-1');
    expect(session.caller).to.equal(LOCAL_STDIO);
    expect(session.state).to.equal('created');
    expect(session.client).to.equal(undefined);
    expect(mustFail(session.checkReady()).errorType).to.equal('SessionNotReady');
  });

  it('S4-21: initialize takes the client and makes it ready', () => {
    const session = Session.create('s-1', LOCAL_STDIO);
    expect(mustValue(session.initialize(CLIENT))).to.equal(session);
    expect(session.state).to.equal('ready');
    expect(session.client).to.deep.equal(CLIENT);
    expect(mustValue(session.checkReady())).to.equal(session);
  });

  it('is over once closed: it neither serves nor begins again', () => {
    const session = Session.create('s-1', LOCAL_STDIO);
    session.initialize(CLIENT);
    session.close();
    expect(mustFail(session.checkReady()).errorType).to.equal('SessionClosed');
    expect(mustFail(session.initialize(CLIENT)).errorType).to.equal('SessionClosed');
    expect(session.state).to.equal('closed');
  });

  it('S4-20: has its own view of the tools, which another session does not share', () => {
    const mine = Session.create('a', LOCAL_STDIO);
    const other = Session.create('b', LOCAL_STDIO);
    const echo = toolName('echo');
    expect(mine.canSee(echo)).to.equal(true);
    mine.hideTool(echo);
    expect(mine.canSee(echo)).to.equal(false);
    expect(other.canSee(echo)).to.equal(true);
    mine.showTool(echo);
    expect(mine.canSee(echo)).to.equal(true);
  });
});
