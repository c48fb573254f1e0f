import { expect } from 'chai';
import { WorkflowContexts } from '../../../src/application/session/workflow-contexts.js';
import { LOCAL_EMBEDDED } from '../../../src/domain/session/caller.js';
import { Session } from '../../../src/domain/session/session.js';

describe('WorkflowContexts', () => {
  let now = 0;
  let contexts: WorkflowContexts;
  const session = Session.create('s', LOCAL_EMBEDDED);

  beforeEach(() => {
    now = 0;
    contexts = new WorkflowContexts({ now: () => now, elapsed: () => now });
  });

  it('S3-39: holds the session, the prompt with its arguments, the results and when it began', () => {
    now = 5;
    const opened = contexts.open(session, 'create-adr', { topic: 'x' });
    contexts.record(opened.id, 'echo', 'hello');
    expect(opened).to.include({ sessionId: 's', promptName: 'create-adr', createdAt: 5 });
    expect(opened.promptArgs).to.deep.equal({ topic: 'x' });
    expect([...opened.toolResults]).to.deep.equal([['echo', 'hello']]);
  });

  it('S3-41: is forgotten an hour after its last use, and by a new process at once', () => {
    const { id } = contexts.open(session, 'p', {});
    now = 3_500_000;
    expect(contexts.of(session, undefined)?.id).to.equal(id);
    now += 3_500_000;
    expect(contexts.of(session, { 'castellan/workflow': id })?.id).to.equal(id);
    now += 3_600_001;
    expect(contexts.of(session, { 'castellan/workflow': id })).to.equal(undefined);
    expect(
      new WorkflowContexts({ now: () => 0, elapsed: () => 0 }).of(session, { 'castellan/workflow': id }),
    ).to.equal(undefined);
  });

  it('is bounded in number, in results and in size', () => {
    const first = contexts.open(session, 'p', {});
    for (let index = 0; index < 1000; index += 1) contexts.open(session, 'p', {});
    expect(contexts.size).to.equal(1000);
    expect(contexts.of(session, { 'castellan/workflow': first.id })).to.equal(undefined);
    const last = contexts.open(session, 'p', {});
    contexts.record(last.id, 'large', 'x'.repeat(300_000));
    for (let index = 0; index < 60; index += 1) contexts.record(last.id, `t${index}`, index);
    expect(last.toolResults.size).to.equal(50);
    expect(last.toolResults.has('large')).to.equal(false);
  });

  it('gives nobody the workflow of another caller', () => {
    const { id } = contexts.open(session, 'p', {});
    const other = Session.create('o', { ...LOCAL_EMBEDDED, id: 'somebody-else' });
    expect(contexts.of(other, { 'castellan/workflow': id })).to.equal(undefined);
  });
});
