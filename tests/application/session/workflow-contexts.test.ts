import { expect } from 'chai';
import { WorkflowContexts } from '../../../src/application/session/workflow-contexts.js';
import { LOCAL_EMBEDDED } from '../../../src/domain/session/caller.js';
import { Session } from '../../../src/domain/session/session.js';
import { InMemoryWorkflowStore } from '../../../src/infrastructure/session/in-memory-workflow-store.js';

describe('WorkflowContexts', () => {
  let now = 0;
  let contexts: WorkflowContexts;
  const session = Session.create('s', LOCAL_EMBEDDED);

  beforeEach(() => {
    now = 0;
    const clock = { now: () => now, elapsed: () => now };
    contexts = new WorkflowContexts(clock, new InMemoryWorkflowStore(clock));
  });

  it('S3-39: holds the session, the prompt with its arguments, the results and when it began', async () => {
    now = 5;
    const opened = await contexts.open(session, 'create-adr', { topic: 'x' });
    await contexts.record(opened.id, 'echo', 'hello');
    expect(opened).to.include({ sessionId: 's', promptName: 'create-adr', createdAt: 5 });
    expect(opened.promptArgs).to.deep.equal({ topic: 'x' });
    const kept = await contexts.of(session, undefined);
    expect([...(kept?.toolResults ?? [])]).to.deep.equal([['echo', 'hello']]);
  });

  it('S3-41: is forgotten an hour after its last use, and by a new process at once', async () => {
    const { id } = await contexts.open(session, 'p', {});
    now = 3_500_000;
    expect((await contexts.of(session, undefined))?.id).to.equal(id);
    now += 3_500_000;
    expect((await contexts.of(session, { 'castellan/workflow': id }))?.id).to.equal(id);
    now += 3_600_001;
    expect(await contexts.of(session, { 'castellan/workflow': id })).to.equal(undefined);
    const clock = { now: () => 0, elapsed: () => 0 };
    const another = new WorkflowContexts(clock, new InMemoryWorkflowStore(clock));
    expect(await another.of(session, { 'castellan/workflow': id })).to.equal(undefined);
  });

  it('is bounded in number, in results and in size', async () => {
    const first = await contexts.open(session, 'p', {});
    for (let index = 0; index < 1000; index += 1) await contexts.open(session, 'p', {});
    expect(await contexts.of(session, { 'castellan/workflow': first.id })).to.equal(undefined);
    const last = await contexts.open(session, 'p', {});
    await contexts.record(last.id, 'large', 'x'.repeat(300_000));
    for (let index = 0; index < 60; index += 1) await contexts.record(last.id, `t${index}`, index);
    const kept = await contexts.of(session, undefined);
    expect(kept?.toolResults.size).to.equal(50);
    expect(kept?.toolResults.has('large')).to.equal(false);
  });

  it('S3-40, S3-41: gives nobody the workflow of another caller', async () => {
    const { id } = await contexts.open(session, 'p', {});
    const other = Session.create('o', { ...LOCAL_EMBEDDED, id: 'somebody-else' });
    expect(await contexts.of(other, { 'castellan/workflow': id })).to.equal(undefined);
  });
});
